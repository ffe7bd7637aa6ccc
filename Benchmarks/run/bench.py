"""The measuring behind Benchmarks/run-web: what section after section below says of itself is what it measures."""

import argparse
import collections
import contextlib
import csv
import ctypes
import datetime
import json
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys

import contenders
import servers

PR_SET_CHILD_SUBREAPER = 36
SECTIONS = ("mixed", "dead", "silent", "far", "memory", "kill", "polite")


class Bench:
    def __init__(self, options):
        self.options = options
        self.work = pathlib.Path(options.work)
        # Photos of 256 pixels, which all runs here make of others, and of 1024, as hosts have them.
        self.small, self.large = self.work / "small", self.work / "large"
        self.random = random.Random(options.seed)
        self.number = 0

    def folder(self, name):
        self.number += 1
        return self.work / f"{self.number}-{name}"

    @contextlib.contextmanager
    def nginx(self, *arguments, images=None, **more):
        server = servers.Nginx(self.folder("nginx"), images or self.small, *arguments, **more)
        try:
            yield server
        finally:
            server.stop()

    @contextlib.contextmanager
    def faults(self, hosts, images=None):
        server = servers.FaultWeb(self.options.web, (images or self.small) / "0.jpg", hosts)
        try:
            yield server
        finally:
            server.stop()

    def catalog(self, name, rows):
        return contenders.Catalog(self.folder(name), rows)

    def names(self):
        return ["ours"] + [name for name in ("img2dataset", "aria2") if getattr(self.options, name)]

    def commands(self, catalog):
        """Name to what makes the command for an output folder."""
        options = self.options
        commands = {"ours": lambda output: contenders.ours(options.program, catalog, output)}
        if options.img2dataset:
            commands["img2dataset"] = lambda output: contenders.img2dataset(options.img2dataset, catalog, output)
        if options.aria2:
            commands["aria2"] = lambda output: contenders.aria2(options.aria2, catalog, output)
        return commands

    def run(self, catalog, name, command, **more):
        output = catalog.fresh(name)
        run = contenders.Run(command(output), output, **more)
        ends = (0, 1, 2) if name == "aria2" else (0, 1)
        if run.process.returncode not in ends and not run.isStopped:
            said = pathlib.Path(f"{output}.log").read_text()[-2000:]
            print(f"  {name} ended with {run.process.returncode}: {said}", file=sys.stderr)
        return run

    def photo(self, server, host, number):
        return f"http://{host}:{server.port}/{server.names[number % len(server.names)]}?{number}"

    # Sections

    def mixed(self):
        """200 hosts: 120 fast, 30 that take a second for each answer, 30 that are 200 ms away, 10 silent, 10 busy (429).

        Their photos have 1024 pixels.
        """
        nets = {"fast": (1, 120), "slow": (2, 30), "far": (3, 30), "silent": (4, 10), "busy": (5, 10)}
        hosts = {kind: servers.addresses(*net) for kind, net in nets.items()}
        faulty = hosts["slow"] + hosts["far"] + hosts["silent"]
        paths = {"slow": "/slow-start?ms=1000&", "far": "/slow-start?ms=200&", "silent": "/stall?"}
        large = {"images": self.large}
        with self.nginx(hosts["fast"], hosts["busy"], **large) as nginx, self.faults(faulty, **large) as faults:
            every = [(kind, host) for kind, net in hosts.items() for host in net]
            rows = []
            for number in range(self.options.rows):
                kind, host = every[number % len(every)]
                address = (
                    f"http://{host}:{faults.port}{paths[kind]}{number}" if kind in paths
                    else self.photo(nginx, host, number))
                rows.append((kind, address))
            self.random.shuffle(rows)
            catalog = self.catalog("mixed", rows)
            good = sum(kind not in ("silent", "busy") for kind, _ in rows)
            print(f"A web of 200 hosts, {len(rows)} rows, {good} of them at hosts that answer; width {contenders.CONNECTIONS}")
            print("  delivered; seconds to 99 % of the good rows; in all; rows a processor second; ours to it; peak MB")
            results, own = [], None
            for name, command in self.commands(catalog).items():
                run = self.run(catalog, name, command)
                rate = run.delivered / run.cpu
                own = own or rate
                early = run.time_to(round(0.99 * good))
                results.append({
                    "contender": name, "rows": len(rows), "good": good, "delivered": run.delivered,
                    "seconds": run.seconds, "secondsTo99Percent": early, "processorSeconds": run.cpu,
                    "rowsPerProcessorSecond": rate, "oursToIt": own / rate, "peakMegabytes": run.megabytes,
                    "overTime": [(round(at, 2), count) for at, count in run.samples],
                    "goal": 3 if name == "img2dataset" else None})
                goal = "(goal 3.00)" if name == "img2dataset" else ""
                shown = f"{early:8.1f} s" if early else "   never  "
                print(
                    f"  {name:12} {run.delivered:7} {shown} {run.seconds:8.1f} s {rate:8.1f} {own / rate:6.2f} x {goal:11} "
                    f"{run.megabytes:7.0f}", flush=True)
        return results

    def dead(self):
        """100 fast hosts, and the same with 5 silent ones in place of 5: the time to 99 % of the good rows."""
        fast, silent = servers.addresses(1, 100), servers.addresses(4, 5)
        count = max(500, self.options.rows // 2)
        with self.nginx(fast) as nginx, self.faults(silent) as faults:
            def rows(dead):
                rows = []
                for number in range(count):
                    place = number % len(fast)
                    if place < dead:
                        rows.append(("silent", f"http://{silent[place]}:{faults.port}/stall?{number}"))
                    else:
                        rows.append(("fast", self.photo(nginx, fast[place], number)))
                self.random.shuffle(rows)
                return rows
            return self.compare("5 % of the hosts are dead", rows(5), count * 95 // 100, rows(0))

    def silent(self):
        """Eight silent addresses before 500 good ones."""
        with self.nginx(servers.addresses(1, 4)) as nginx, self.faults(servers.addresses(4, 8)) as faults:
            good = [("fast", self.photo(nginx, f"127.0.1.{1 + number % 4}", number)) for number in range(500)]
            silent = [("silent", f"http://127.0.4.{1 + number}:{faults.port}/stall") for number in range(8)]
            return self.compare("Eight silent addresses before 500 good ones", silent + good, 500, good, goal=1.1,
                                rounds=15, interval=0.01)

    def compare(self, title, rows, good, without, goal=None, rounds=1, interval=0.25):
        """How much later 99 % of the good rows are there because of the others, by medians; runs are ended then."""
        print(f"{title}: {len(rows)} rows, {good} of them good; {rounds} rounds")
        print("  seconds to 99 % of the good ones; without the others; ratio")
        results = []
        wanted = -(-good * 99 // 100)
        for name in self.names():
            runs = ([], [])
            for _ in range(rounds):
                for each, seconds in zip((rows, without), runs):
                    catalog = self.catalog("compare", each)
                    run = self.run(
                        catalog, name, self.commands(catalog)[name], enough=wanted, limit=600, interval=interval)
                    seconds.append(run.time_to(wanted))
            times = [statistics.median(seconds) if all(seconds) else None for seconds in runs]
            ratio = times[0] / times[1] if all(times) else None
            own = goal if name == "ours" else None
            results.append({
                "contender": name, "rows": len(rows), "seconds": times[0], "secondsWithout": times[1], "ratio": ratio,
                "goal": own})
            shown = " ".join(f"{each:8.2f} s" if each else "   never  " for each in times)
            print(f"  {name:12} {shown} {ratio or float('nan'):6.2f} x {f'(goal {own:.2f})' if own else ''}", flush=True)
        return results

    def far(self):
        """64 hosts that are 200 ms away: pictures a second beside what the connections allow."""
        hosts = servers.addresses(3, 64)
        count = 64 * max(10, min(50, self.options.rows // 64))
        most = contenders.CONNECTIONS / 0.2
        with self.faults(hosts) as faults:
            rows = [
                ("far", f"http://{hosts[number % 64]}:{faults.port}/slow-start?ms=200&{number}")
                for number in range(count)]
            catalog = self.catalog("far", rows)
            print(f"64 hosts 200 ms away, {count} rows: at most {most:.0f} a second with {contenders.CONNECTIONS} connections")
            print("  rows a second; of what is possible; delivered")
            results = []
            for name, command in self.commands(catalog).items():
                run = self.run(catalog, name, command, watches=False)
                rate = run.delivered / run.seconds
                own = 0.9 if name == "ours" else None
                results.append({
                    "contender": name, "rows": count, "delivered": run.delivered, "rowsPerSecond": rate,
                    "share": rate / most, "goal": own})
                print(
                    f"  {name:12} {rate:8.1f} {rate / most:6.2f} {f'(goal {own:.2f})' if own else '':11} {run.delivered:7}",
                    flush=True)
        return results

    def memory(self):
        """The peak of memory over a long catalog with mixed outcomes, and whether its report is whole and in order."""
        count = self.options.memory_rows
        hosts, refused = servers.addresses(1, 20), servers.addresses(6, 5)
        with self.nginx(hosts) as nginx:
            rows = []
            for number in range(count):
                host = hosts[number % 20]
                base = f"http://{host}:{nginx.port}"
                kind = number % 20
                if kind in (3, 13):
                    rows.append(("missing", f"{base}/missing/{number}.jpg"))
                elif kind == 7:
                    rows.append(("broken", f"{base}/broken/{number}.jpg"))
                elif kind == 11:
                    rows.append(("refused", f"http://{refused[number // 20 % 5]}:{nginx.port}/{number}.jpg"))
                else:
                    rows.append(("fast", self.photo(nginx, host, number)))
            catalog = self.catalog("memory", rows)
            report = catalog.folder / "report.csv"
            command = contenders.ours(
                self.options.program, catalog, catalog.fresh("ours"), "--report", str(report), "--size", "64")
            output = pathlib.Path(command[command.index("--output") + 1])
            run = contenders.Run(command, output, watches=False)
            with open(report, newline="") as file:
                reported = [row["url"] for row in csv.DictReader(file)]
            isWhole = reported == [address for _, address in rows]
        good = sum(kind == "fast" for kind, _ in rows)
        print(f"A catalog of {count} rows, {count - good} of them fail: peak {run.megabytes:.0f} MB (goal 200), "
              f"{count / run.seconds:.0f} rows a second, {count / run.cpu:.0f} a processor second; "
              f"{run.delivered} of {good} pictures; report {'whole and in order' if isWhole else 'WRONG'}", flush=True)
        return {
            "rows": count, "good": good, "delivered": run.delivered, "peakMegabytes": run.megabytes, "goal": 200,
            "seconds": run.seconds, "processorSeconds": run.cpu, "isReportWhole": isWhole}

    def kill(self):
        """What is fetched twice after `kill -9`, three times at random moments, beside what half a second brings."""
        count, hosts = self.options.kill_rows, servers.addresses(1, 20)
        with self.nginx(hosts, log=True) as nginx:
            rows = [("fast", self.photo(nginx, hosts[number % 20], number)) for number in range(count)]
            catalog = self.catalog("kill", rows)
            output = catalog.fresh("ours")
            command = contenders.ours(self.options.program, catalog, output)
            kills = 0
            while True:
                process = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                    start_new_session=True)
                wait = self.random.uniform(0.15, 0.3) * count / 2000 if kills < 3 else None
                try:
                    process.wait(wait)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
                    kills += 1
                if process.returncode >= 0:
                    break
            fetched, quarters = collections.defaultdict(list), set()
            for moment, host, path, _, size in nginx.requests():
                fetched[host + path].append(size)
                # The time in which something came: no start of a program counts.
                quarters.add(int(moment * 4))
        twice = sum(sum(sizes[1:]) for sizes in fetched.values())
        once = sum(sizes[0] for sizes in fetched.values())
        half = 2 * (once + twice) / len(quarters)
        delivered = contenders.pictures(output)
        ratio = twice / (half * kills) if kills else None
        print(f"{count} rows, killed {kills} times: {twice / 1e6:.2f} MB of {once / 1e6:.1f} fetched twice, "
              f"{ratio or 0:.2f} of what half a second for each kill brings (goal at most 1); {delivered} pictures", flush=True)
        return {
            "rows": count, "kills": kills, "bytesTwice": twice, "bytes": once, "halfASecond": half, "ratio": ratio,
            "goal": 1, "delivered": delivered}

    def polite(self):
        """Requests in any second at each of four hosts, of which a fifth are redirects to the same host."""
        rate, hosts = 20, servers.addresses(1, 4)
        with self.nginx(hosts, log=True) as nginx:
            rows = []
            for number in range(4 * rate * 4):
                photo = self.photo(nginx, hosts[number % 4], number)
                rows.append(("fast", photo.replace(f":{nginx.port}/", f":{nginx.port}/moved/") if number % 20 < 4 else photo))
            catalog = self.catalog("polite", rows)
            run = self.run(
                catalog, "ours", lambda output: contenders.ours(self.options.program, catalog, output, "--rate", str(rate)))
            times = collections.defaultdict(list)
            for moment, host, *_ in nginx.requests():
                times[host].append(moment)
        most = max(servers.most_in_a_second(each) for each in times.values())
        print(f"--rate {rate}: at most {most} requests in any second at one host (goal {rate}); "
              f"{sum(map(len, times.values()))} requests for {len(rows)} rows in {run.seconds:.1f} s", flush=True)
        return {"rate": rate, "mostInASecond": most, "goal": rate, "seconds": run.seconds, "delivered": run.delivered}


def machine():
    def said(*command):
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "")
    return {
        "processor": model, "cores": len(os.sched_getaffinity(0)), "kernel": os.uname().release,
        "swift": said("swift", "--version").split("\n")[0], "commit": said("git", "describe", "--always", "--dirty")}


def main():
    parser = argparse.ArgumentParser()
    for name in ("work", "program", "web", "img2dataset", "aria2"):
        parser.add_argument(f"--{name}", default="")
    parser.add_argument("--rows", type=int, default=4000)
    parser.add_argument("--memory-rows", type=int, default=100_000)
    parser.add_argument("--kill-rows", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default=",".join(SECTIONS))
    options = parser.parse_args()
    only = options.only.split(",")
    if unknown := set(only) - set(SECTIONS):
        parser.error(f"there are {', '.join(SECTIONS)}, and no {', '.join(sorted(unknown))}")
    # What a contender leaves behind becomes a child of this process.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    bench = Bench(options)
    report = {"date": datetime.datetime.now(datetime.timezone.utc).isoformat(), "machine": machine(), "seed": options.seed}
    for name in only:
        report[name] = getattr(bench, name)()
    pathlib.Path("build/bench/run.json").write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
