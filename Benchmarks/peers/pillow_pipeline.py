"""Addresses to filtered thumbnails with Pillow: pillow_pipeline.py PROCESSES OUTPUT-FOLDER SIDE QUALITY < ADDRESSES

Each process keeps one connection open. The filter is the same matrix for sepia that vips and CSS know.
"""

import http.client
import io
import multiprocessing
import sys
import urllib.parse

from PIL import Image

SEPIA = (0.393, 0.769, 0.189, 0, 0.349, 0.686, 0.168, 0, 0.272, 0.534, 0.131, 0)
FOLDER, SIDE, QUALITY = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
connection = None


def fetch(url):
    global connection
    if connection is None:
        connection = http.client.HTTPConnection(url.netloc)
    connection.request("GET", f"{url.path}?{url.query}")
    answer = connection.getresponse()
    body = answer.read()
    if answer.status != 200:
        raise OSError(f"{url.geturl()}: {answer.status}")
    return body


def develop(job):
    number, address = job
    body = fetch(urllib.parse.urlsplit(address))
    with Image.open(io.BytesIO(body)) as image:
        image.draft("RGB", (SIDE, SIDE))
        image.thumbnail((SIDE, SIDE), Image.Resampling.LANCZOS)
        image.convert("RGB", SEPIA).save(f"{FOLDER}/{number}.jpg", quality=QUALITY)


def main():
    processes = int(sys.argv[1])
    jobs = list(enumerate(sys.stdin.read().split()))
    if processes == 1:
        for job in jobs:
            develop(job)
        return
    with multiprocessing.Pool(processes) as pool:
        for _ in pool.imap_unordered(develop, jobs, chunksize=4):
            pass


if __name__ == "__main__":
    main()
