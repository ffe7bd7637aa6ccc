"""Pillow's and OpenCV's colour matrix, for bench-filters.

First prints the names of the peers that are there. Then, for every name read from standard input, runs that peer
once on an R, G, B picture of 12 megapixels in memory, on one thread, and prints the CPU time it took in milliseconds.
"""

import sys
import time

WIDTH, HEIGHT = 4000, 3000
SEPIA = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]]


def pillow():
    from PIL import Image
    picture = Image.effect_noise((WIDTH, HEIGHT), 60).convert("RGB")
    matrix = [value for row in SEPIA for value in row + [0]]
    return lambda: picture.convert("RGB", matrix)


def opencv(reuses_result):
    import cv2
    import numpy
    cv2.setNumThreads(1)
    picture = numpy.random.default_rng(1).integers(0, 256, (HEIGHT, WIDTH, 3), numpy.uint8)
    result = numpy.zeros_like(picture) if reuses_result else None
    matrix = numpy.array(SEPIA, numpy.float32)
    return lambda: cv2.transform(picture, matrix, result)


def main():
    peers = {}
    makers = {
        "pillow": pillow,
        "opencv": lambda: opencv(False),
        "opencv-reusing-its-result": lambda: opencv(True),
    }
    for name, make in makers.items():
        try:
            peers[name] = make()
        except ImportError as error:
            print(f"{name}: {error}", file=sys.stderr)
    print(" ".join(peers), flush=True)
    for line in sys.stdin:
        start = time.process_time()
        peers[line.strip()]()
        print((time.process_time() - start) * 1000, flush=True)


if __name__ == "__main__":
    main()
