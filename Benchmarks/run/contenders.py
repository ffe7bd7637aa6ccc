"""Who takes the catalogs of `make bench-run`, and what is measured of each: the time by the clock, the processor time of all its
processes, the peak of memory of the largest, and how many pictures were there when."""

import contextlib
import os
import pathlib
import signal
import subprocess
import threading
import time

SIDE = 256
CONNECTIONS = 64
# What all are told: how long an address may be silent, and how often it is tried again.
TIMEOUT, RETRIES = 10, 2


class Catalog:
    """Rows of (kind, address), in the shapes that the contenders want."""

    def __init__(self, folder, rows):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True)
        self.rows = rows
        self.csv = self.folder / "catalog.csv"
        self.list = self.folder / "addresses.txt"
        self.aria2 = self.folder / "aria2.txt"
        with open(self.csv, "w") as file:
            file.write("name,url\n")
            file.writelines(f"Photo {number},{address}\n" for number, (_, address) in enumerate(rows))
        self.list.write_text("".join(f"{address}\n" for _, address in rows))
        self.aria2.write_text("".join(
            f"{address}\n out={number}.jpg\n" for number, (_, address) in enumerate(rows)))
        self.count = 0

    def fresh(self, name):
        self.count += 1
        output = self.folder / f"{name}-{self.count}"
        output.mkdir()
        return output


def ours(program, catalog, output, *more):
    return [
        program, "develop", str(catalog.csv), "--output", str(output), "--filter", "none", "--size", str(SIDE),
        "--connections", str(CONNECTIONS), "--timeout", str(TIMEOUT), "--retries", str(RETRIES), "--host-patience",
        str(TIMEOUT), "--cache", "off", "--quiet", *more]


def img2dataset(program, catalog, output):
    cores = len(os.sched_getaffinity(0))
    return [
        program, "--url_list", str(catalog.list), "--output_folder", f"{output}/set", "--image_size", str(SIDE),
        "--resize_mode", "keep_ratio_largest", "--resize_only_if_bigger", "True", "--encode_quality", "85",
        "--encode_format", "jpg", "--output_format", "files", "--processes_count", str(cores), "--thread_count",
        str(CONNECTIONS // cores), "--number_sample_per_shard", str(max(1, -(-len(catalog.rows) // cores))),
        "--timeout", str(TIMEOUT), "--retries", str(RETRIES), "--compute_hash", "None", "--extract_exif", "False"]


def aria2(program, catalog, output):
    return [
        program, "--input-file", str(catalog.aria2), "--dir", str(output), "--max-concurrent-downloads",
        str(CONNECTIONS), "--connect-timeout", str(TIMEOUT), "--timeout", str(TIMEOUT), "--max-tries",
        str(1 + RETRIES), "--retry-wait", "1", "--quiet", "--no-conf", "--file-allocation", "none",
        "--allow-overwrite=true", "--auto-file-renaming=false", "--disable-ipv6"]


def pictures(folder):
    """How many whole pictures are in a folder and those in it."""
    count = 0
    for path, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        parts = {name[:-6] for name in names if name.endswith(".aria2")}
        count += sum(name.endswith(".jpg") and not name.startswith(".") and name not in parts for name in names)
    return count


def peaks(session):
    """The peaks of memory, in bytes, of the processes of a session at this moment.

    The kernel's `ru_maxrss` would count what this program had when it started the other one.
    """
    for status in pathlib.Path("/proc").glob("[0-9]*/status"):
        try:
            if os.getsid(int(status.parent.name)) != session:
                continue
            fields = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        except OSError:
            # It has ended meanwhile.
            continue
        if "VmHWM" in fields:
            yield int(fields["VmHWM"].split()[0]) * 1024


class Run:
    """One command, to its end or until somebody has seen enough."""

    def __init__(self, command, output, enough=None, watches=True, limit=3600, interval=0.25):
        self.output, self.samples, self.interval = output, [], interval
        environment = {
            name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        environment["NO_ALBUMENTATIONS_UPDATE"] = "1"
        self.began = time.monotonic()
        self.log = open(f"{output}.log", "w")
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, env=environment,
            start_new_session=True)
        self.process, self.ended, self.isStopped = process, threading.Event(), False
        watcher = threading.Thread(target=self.watch, args=(enough, limit), daemon=True) if watches else None
        self.megabytes = 0
        meter = threading.Thread(target=self.measure_memory, daemon=True)
        for thread in (watcher, meter):
            if thread:
                thread.start()
        _, status, usage = os.wait4(process.pid, 0)
        self.seconds = time.monotonic() - self.began
        process.returncode = os.waitstatus_to_exitcode(status)
        self.ended.set()
        for thread in (watcher, meter):
            if thread:
                thread.join()
        self.log.close()
        self.cpu = usage.ru_utime + usage.ru_stime
        self.delivered = pictures(output)
        self.samples.append((self.seconds, self.delivered))

    def measure_memory(self):
        while not self.ended.wait(0.1):
            self.megabytes = max([self.megabytes, *(peak / 1e6 for peak in peaks(self.process.pid))])

    def watch(self, enough, limit):
        while not self.ended.wait(self.interval):
            count, seconds = pictures(self.output), time.monotonic() - self.began
            self.samples.append((seconds, count))
            if (enough is not None and count >= enough or seconds > limit) and not self.isStopped:
                self.isStopped = True
                # The group is of this run alone, so that helpers go along. It may have ended meanwhile.
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(self.process.pid, signal.SIGTERM)

    def time_to(self, count):
        """When so many pictures were there; None if they never were."""
        return next((seconds for seconds, there in self.samples if there >= count), None)
