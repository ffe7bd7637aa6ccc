"""The measuring behind Benchmarks/pipeline-peers.

Every contender is a command. Its processor time is that of all its processes, user and system; the server's counts for
nobody. Rounds are interleaved, and ratios are taken round by round, so that whatever else the machine does hits all
alike. A catalog of one photograph tells what a contender needs to begin.

What each does with an address: ours downloads it, applies sepia-tone(0.8) and writes a JPEG of quality 85, under a
temporary name that is renamed. img2dataset does so without a filter, for it has none, and writes a JSON and, for all,
a Parquet file of what it did. vipsthumbnail is given files that curl has downloaded, by one process for each core, and
filters nothing; with vips recomb behind it, which is a process for each photograph, the matrix for sepia is applied.
Pillow decodes in draft mode and applies the same matrix. The floor is given files and writes nothing.
"""

import argparse
import ctypes
import json
import os
import pathlib
import resource
import statistics
import struct
import subprocess
import sys
import tempfile
import time

SIDE, QUALITY = 256, 85
CONNECTIONS = 16
GOALS = {"img2dataset": 2.5, "vipsthumbnail": 1.9, "Pillow, a process for each core": 1.3, "Pillow, one process": 1.3}
FLOOR, FLOOR_GOAL = "libjpeg-turbo's scaled decode alone", 1.3
# Takes a process for each photograph, which says little about vips: only for the record.
ONCE = "vipsthumbnail, vips recomb"


def processor_seconds():
    use = resource.getrusage(resource.RUSAGE_CHILDREN)
    return use.ru_utime + use.ru_stime


def run(command, environment, input_path):
    """Processor time and time by the clock until the last of the command's processes has ended."""
    before, began = processor_seconds(), time.monotonic()
    with open(input_path) as given:
        process = subprocess.Popen(
            command, stdin=given, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **environment})
        complaint = process.stderr.read()
    status = process.wait()
    try:
        while True:
            os.wait()
    except ChildProcessError:
        pass
    if status != 0:
        raise RuntimeError(f"{command[0]} ended with {status}: {complaint[-2000:]}")
    return processor_seconds() - before, time.monotonic() - began


def longest_side(path):
    """Of a JPEG, from its frame header."""
    data = path.read_bytes()
    place = 2
    while data[place + 1] not in (0xC0, 0xC1, 0xC2):
        place += 2 + struct.unpack(">H", data[place + 2:place + 4])[0]
    return max(struct.unpack(">HH", data[place + 5:place + 9]))


class Job:
    """A catalog in the shapes that a contender wants, and the folders that it fills.

    They are all removed at the end and not before, because a file system takes longer over new files after old ones
    were removed.
    """

    def __init__(self, work, base, photographs, count):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=work))
        self.output = self.folder / "output"
        self.count = count
        for name in ("output", "fetched", "thumbnails"):
            (self.folder / name).mkdir()
        self.files = [photographs[number % len(photographs)] for number in range(count)]
        # Distinct addresses, for nobody's cache shall help.
        self.addresses = [
            f"{base}/{file.parent.name}/{file.name}?{number}" for number, file in enumerate(self.files)]
        self.list = self.write("addresses.txt", "".join(f"{address}\n" for address in self.addresses))
        self.catalog = self.write(
            "catalog.csv",
            "name,url\n" + "".join(f"Photo {number},{address}\n" for number, address in enumerate(self.addresses)))
        self.curl = self.write("curl.txt", "".join(
            f'url = "{address}"\noutput = "{self.folder}/fetched/{number}.jpg"\n'
            for number, address in enumerate(self.addresses)))
        self.paths = self.write("paths.txt", "".join(f"{file}\n" for file in self.files))
        self.matrix = self.write("sepia.mat", "3 3\n0.393 0.769 0.189\n0.349 0.686 0.168\n0.272 0.534 0.131\n")

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def check(self, name):
        pictures = list(self.output.rglob("*.jpg"))
        sides = {longest_side(picture) for picture in pictures}
        if len(pictures) != self.count or sides != {SIDE}:
            raise RuntimeError(f"{name}: {len(pictures)} of {self.count} pictures, longest sides {sides}")


def contenders(job, options):
    """Name to command, environment, standard input, and whether it leaves pictures."""
    cores = str(len(os.sched_getaffinity(0)))
    folder, output = str(job.folder), str(job.output)
    fetch = f"curl --silent --show-error --fail --parallel --parallel-max {CONNECTIONS} --config {job.curl}"
    share = -(-job.count // int(cores))
    thumbnails = (
        f"find {folder}/fetched -name '*.jpg' | xargs -P {cores} -n {share} vipsthumbnail --size {SIDE}x{SIDE} -o ")
    filtering = (
        f"ls {folder}/thumbnails | "
        f"xargs -P {cores} -I@ vips recomb {folder}/thumbnails/@ {output}/@[Q={QUALITY}] {job.matrix}")
    one_thread = {"VIPS_CONCURRENCY": "1"}
    result = {
        "ours": ([
            options.program, "develop", job.catalog, "--output", output, "--size", str(SIDE), "--quality",
            str(QUALITY), "--filter", "sepia-tone(0.8)", "--quiet"], {}, True),
        "vipsthumbnail": (
            ["sh", "-c", f"{fetch} && {thumbnails} '{output}/%s.jpg[Q={QUALITY}]'"], one_thread, True),
        ONCE: (
            ["sh", "-c", f"{fetch} && {thumbnails} '{folder}/thumbnails/%s.jpg[Q=95]' && {filtering}"], one_thread,
            True),
        FLOOR: (
            ["xargs", "-a", job.paths, "-P", cores, "-n", str(share), options.floor, "floor"], {}, False),
    }
    if options.pillow:
        script = [options.pillow, str(pathlib.Path(__file__).parent / "pillow_pipeline.py")]
        result["Pillow, a process for each core"] = (script + [cores, output, str(SIDE), str(QUALITY)], {}, True)
        result["Pillow, one process"] = (script + ["1", output, str(SIDE), str(QUALITY)], {}, True)
    if options.img2dataset:
        result["img2dataset"] = ([
            options.img2dataset, "--url_list", job.list, "--output_folder", f"{output}/set", "--image_size",
            str(SIDE), "--resize_mode", "keep_ratio_largest", "--resize_only_if_bigger", "True", "--encode_quality",
            str(QUALITY), "--encode_format", "jpg", "--output_format", "files", "--processes_count", cores,
            "--thread_count", str(CONNECTIONS), "--number_sample_per_shard", str(share), "--compute_hash", "None",
            "--extract_exif", "False"], {"NO_ALBUMENTATIONS_UPDATE": "1"}, True)
    return result


def measure(work, options, photographs, count, rounds):
    """Name to a list of (processor seconds, seconds by the clock)."""
    samples = {}
    for number in range(rounds):
        for name in contenders(Job(work, options.base, photographs, 1), options):
            if name == ONCE and number > 0:
                continue
            job = Job(work, options.base, photographs, count)
            command, environment, leaves_pictures = contenders(job, options)[name]
            samples.setdefault(name, []).append(run(command, environment, job.list))
            if leaves_pictures:
                job.check(name)
    return samples


def compare(title, work, options, photographs, count, starts):
    samples = measure(work, options, photographs, count, options.rounds)
    print(f"{title}: {count} addresses of {len(photographs)} photographs, median of {options.rounds} rounds")
    print("  photographs per processor second; ours to it; without what it needs to begin; start-up; all by the clock")
    rows = []
    for name, sample in samples.items():
        start = statistics.median(cpu for cpu, _ in starts[name])
        own_start = statistics.median(cpu for cpu, _ in starts["ours"])
        pairs = list(zip(sample, samples["ours"]))
        row = {
            "contender": name,
            "photographsPerProcessorSecond": count / statistics.median(cpu for cpu, _ in sample),
            "oursToIt": statistics.median(cpu / ours for (cpu, _), (ours, _) in pairs),
            "oursToItWithoutStart": statistics.median(
                (cpu - start) / (ours - own_start) for (cpu, _), (ours, _) in pairs),
            "startProcessorSeconds": start,
            "seconds": statistics.median(clock for _, clock in sample),
            "goal": 1 / FLOOR_GOAL if name == FLOOR else GOALS.get(name),
        }
        rows.append(row)
        goal = f"(goal {row['goal']:.2f})" if row["goal"] else ""
        print(
            f"  {name:36} {row['photographsPerProcessorSecond']:7.1f} {row['oursToIt']:6.2f} x {goal:12} "
            f"{row['oursToItWithoutStart']:6.2f} x {start:6.2f} s {row['seconds']:6.1f} s")
        if name == FLOOR:
            print(f"  {'':36} ours takes {1 / row['oursToIt']:.2f} times its processor time")
    sys.stdout.flush()
    return {"photographs": title, "addresses": count, "rounds": options.rounds, "contenders": rows}


def main():
    parser = argparse.ArgumentParser()
    for name in ("work", "base", "program", "floor", "pillow", "img2dataset"):
        parser.add_argument(f"--{name}", default="")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--count", type=int, default=240)
    options = parser.parse_args()
    # What a contender leaves behind becomes a child of this process, whose time is then counted, too.
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    work = pathlib.Path(options.work)
    sets = {
        title: sorted((work / name).glob("*.jpg"))
        for name, title in (("scaled", "About 2.5 megapixels"), ("whole", "4 to 5 megapixels"))
    }
    measure(work, options, sets["4 to 5 megapixels"], 1, 1)  # Warms the file cache.
    starts = measure(work, options, sets["4 to 5 megapixels"], 1, 3)
    report = [
        compare(title, work, options, photographs, options.count, starts) for title, photographs in sets.items()
    ]
    pathlib.Path("build/bench/pipeline.json").write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
