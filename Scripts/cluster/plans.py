"""A plan, the workers at it, and what came of it."""

import collections
import contextlib
import json
import os
import signal
import subprocess
import tarfile

from processes import (
    Failed, check, command_line, descendants, environment, is_alive, is_halted, program, run, send, wait_for)

# What the engines call: it tells the server which worker asks, and notes its task.
WRAPPER = """#!/bin/sh
[ "$1" = develop ] || exec "{program}" "$@"
task=
for word; do
    [ "$before" = --task ] && task=$word
    before=$word
done
[ "$task" = auto ] && task=slurm-$SLURM_ARRAY_TASK_ID-$SLURM_ARRAY_TASK_MIN-$SLURM_ARRAY_TASK_COUNT
worker=$$.$(date +%s%N)
echo "$worker $task" >>"{log}"
exec "{program}" "$@" --user-agent "$worker"
"""

Worker = collections.namedtuple("Worker", "process task node")


class Plan:
    """A plan of a web's catalog with an output folder, whose names have spaces."""

    def __init__(self, folder, program, web, tasks=8, rows_per_shard=8):
        self.program, self.web = program, web
        self.folder, self.output = os.path.join(folder, "the plan"), os.path.join(folder, "the pictures")
        self.bin, self.log = os.path.join(folder, "bin"), os.path.join(folder, "workers.log")
        os.makedirs(self.bin)
        wrapper = os.path.join(self.bin, "classicphotos")
        with open(wrapper, "w", encoding="utf-8") as file:
            file.write(WRAPPER.replace("{log}", self.log).replace("{program}", program))
        os.chmod(wrapper, 0o755)
        run([program, "plan", web.catalog, "-o", self.folder, "--tasks", str(tasks), "--rows-per-shard", str(rows_per_shard),
             "--filter", "none", "--size", "64", "--quiet"])
        with open(os.path.join(self.folder, "plan.json"), encoding="utf-8") as file:
            task_rows = json.load(file)["taskRows"]
        self.shards, first = [], 0
        for rows in task_rows:
            count = -(-rows // rows_per_shard)
            self.shards.append(range(first, first + count))
            first += count
        check(sum(len(shards) > 4 for shards in self.shards) >= tasks // 2, f"too many tasks are small: {task_rows}")

    @property
    def tasks(self):
        return len(self.shards)

    @property
    def environment(self):
        return {**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}"}

    # Workers

    def workers(self, engine=None):
        """Those that run now, below an engine's process."""
        for process in sorted(descendants(engine or os.getpid())):
            words = command_line(process)
            if program(process) == self.program and self.output in [word.rstrip("/") for word in words] and "--task" in words:
                known = environment(process)
                task = words[words.index("--task") + 1]
                task = known.get("SLURM_ARRAY_TASK_ID") if task == "auto" else task
                yield Worker(process, int(task), known.get("SLURMD_NODENAME"))

    def attempts(self, task, least=2048):
        """The tar files of shards of a task that are not committed, and have something in them."""
        data = os.path.join(self.output, "data")
        found = []
        with contextlib.suppress(FileNotFoundError):
            for name in os.listdir(data):
                with contextlib.suppress(FileNotFoundError, ValueError):
                    if name.endswith(".tar") and int(name.partition(".")[0]) in self.shards[task] \
                            and os.path.getsize(os.path.join(data, name)) >= least and not self.is_done(name.partition(".")[0]):
                        found.append(name)
        return found

    def is_done(self, shard):
        return os.path.exists(os.path.join(self.output, "done", f"{shard}.json"))

    def committed(self, task):
        return sum(self.is_done(f"{shard:05}") for shard in self.shards[task])

    def halt_amid_a_shard(self, workers):
        """Stops a worker that has a shard at hand, whose files are there and not committed."""
        def halted():
            for worker in workers():
                if self.attempts(worker.task):
                    send(worker.process, signal.SIGSTOP)
                    wait_for(lambda: is_halted(worker.process), "a worker stands still")
                    if is_alive(worker.process) and self.attempts(worker.task):
                        return worker
                    send(worker.process, signal.SIGCONT)
            return None
        return wait_for(halted, "a worker is amid a shard")

    def tasks_of_workers(self):
        with open(self.log, encoding="utf-8") as file:
            found = dict(line.split() for line in file)
        return {worker: self.task_of(text) for worker, text in found.items()}

    def task_of(self, text):
        if not text.startswith("slurm-"):
            return int(text)
        index, first, count = map(int, text.split("-")[1:])
        # An array that begins with 1 and is as long as the plan.
        return index - first if count == self.tasks else index

    # What came of it

    def is_complete(self):
        return sum(self.committed(task) for task in range(self.tasks)) == sum(map(len, self.shards))

    def check(self, abandoned):
        """Each row of the catalog is in the data set once. So many attempts at least were to be killed amid a shard."""
        run([self.program, "status", self.output])
        run([self.program, "merge", self.output])
        run([self.program, "verify", self.output])
        check_rows(self.output, self.web.rows, lambda address: "/gone." in address)
        left = sum(name.endswith(".tar") for name in os.listdir(os.path.join(self.output, "data"))) - sum(map(len, self.shards))
        check(left >= abandoned, f"{left} shards are abandoned, of at least {abandoned}")
        run([self.program, "verify", "--gc", self.output])
        run([self.program, "verify", self.output])
        check_files(self.output, sum(map(len, self.shards)))
        check_rows(self.output, self.web.rows, lambda address: "/gone." in address)
        return (f"{len(self.web.rows)} rows in {sum(map(len, self.shards))} shards of {self.tasks} tasks, each row once; "
                f"{left} abandoned attempts cleared up")


def check_rows(output, rows, fails):
    """Each row is in the index once, with its address and outcome, and its picture is in a shard once.

    fails: whether an address leads nowhere.
    """
    width = max(5, len(str(len(rows))))
    keys = {str(number + 1).zfill(width): row for number, row in enumerate(rows)}
    index = collections.Counter()
    with open(os.path.join(output, "index.jsonl"), encoding="utf-8") as file:
        for line in file:
            entry = json.loads(line)
            index[entry["key"]] += 1
            name, address = keys[entry["key"]]
            check((entry["catalog"]["name"], entry["catalog"]["url"]) == (name, address), f"another row's entry: {line}")
            check((entry["file"] is None) == fails(address), f"what should have failed has not, or the other way round: {line}")
    lost, doubled = keys.keys() - index.keys(), [key for key, count in index.items() if count != 1]
    check(not lost and not doubled, f"{len(lost)} rows are lost and {len(doubled)} doubled: {sorted(lost)[:5]} {doubled[:5]}")
    members = collections.Counter()
    with open(os.path.join(output, "shards.txt"), encoding="utf-8") as file:
        for name in file.read().splitlines():
            with tarfile.open(os.path.join(output, name)) as shard:
                members.update(shard.getnames())
    expected = {f"{key}.{ending}" for key, (_, address) in keys.items() if not fails(address) for ending in ("jpg", "json")}
    check(members == collections.Counter(expected), "the shards have other pictures than the catalog, or some twice")


def check_files(output, shards):
    """Only what was committed is left."""
    data = os.listdir(os.path.join(output, "data"))
    done = os.listdir(os.path.join(output, "done"))
    check(len(data) == 3 * shards and len(done) == shards, f"{len(data)} files and {len(done)} markers of {shards} shards")
    left = [name for name in os.listdir(output) if name.startswith(".")]
    check(not left, f"half written files are left: {left}")


def unfinished_tasks(program, output):
    """The tasks with shards left, as `status` lists them for engines."""
    said = subprocess.run([program, "status", output], capture_output=True, text=True, check=False)
    for line in said.stderr.splitlines():
        if "tasks with shards left: " in line:
            return line.rpartition(" ")[2]
    if said.returncode == 0:
        return ""
    raise Failed(said.stderr)
