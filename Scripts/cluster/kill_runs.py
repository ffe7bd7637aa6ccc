"""Runs of a plan in which each task runs twice at once, and its workers are killed or stopped at random steps: calls that change
something in the output folder, or requests that do in a store, and their answers. One that is stopped goes on when the other one at its task has ended, as after a while on a node that hangs."""

import collections
import csv
import json
import os
import random
import shutil
import signal
import subprocess

from plans import check_files, check_rows
from processes import Failed, check, end_with_parent, run, wait_for
from web import PHOTOGRAPHS

TASKS, ROWS, ROWS_OF_SHARD, SHARDS = 3, 120, 2, 60
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kill_at_step.c")


class Slot:
    """One of the two places at a task: a worker, and the faults that are to come."""

    def __init__(self, faults):
        self.faults, self.process, self.is_halted, self.is_over = faults, None, False, False


class KillRuns:
    # A shard takes about 24 steps, and a task has twenty shards. The first shards are hit more often.
    most_steps = 400

    def __init__(self, folder, program, known=os.environ):
        self.folder, self.program, self.known = folder, program, dict(known)
        self.plan, self.output, self.log = (os.path.join(folder, name) for name in ("plan", "pictures", "steps"))
        self.library = os.path.join(folder, "kill_at_step.so")
        os.makedirs(folder)
        run(["clang", "-O1", "-Wall", "-shared", "-fPIC", "-o", self.library, SOURCE, "-ldl"])
        photos = os.path.join(folder, "photos")
        run([program, "develop", PHOTOGRAPHS, "--output", photos, "--filter", "none", "--size", "64", "--quiet"])
        photos = [os.path.join(photos, name) for name in sorted(os.listdir(photos)) if name.endswith(".jpg")]
        for number in range(100):
            self.rows = self.catalog(number, photos)
            shutil.rmtree(self.plan, ignore_errors=True)
            run([program, "plan", os.path.join(folder, "photos.csv"), "-o", self.plan, "--tasks", str(TASKS),
                 "--rows-per-shard", str(ROWS_OF_SHARD), "--filter", "none", "--size", "16", "--quiet"])
            with open(os.path.join(self.plan, "plan.json"), encoding="utf-8") as file:
                # Which task a row is in depends on its address.
                if sum(-(-rows // ROWS_OF_SHARD) for rows in json.load(file)["taskRows"]) == SHARDS:
                    return
        raise Failed(f"no plan had {SHARDS} shards")

    def catalog(self, number, photos):
        sources = os.path.join(self.folder, f"sources-{number}")
        os.makedirs(sources)
        rows = []
        for row in range(ROWS):
            path = os.path.join(sources, f"{'gone-' if row % 10 == 9 else ''}{row}.jpg")
            if row % 10 != 9:
                os.link(photos[row % len(photos)], path)
            rows.append((f"photo, {row}", path))
        with open(os.path.join(self.folder, "photos.csv"), "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("name", "url"), *rows])
        return rows

    # One run

    def run(self, seed):
        """Does all tasks, and checks what came of it. Returns the steps at which workers were killed or stopped."""
        chance = random.Random(seed)
        self.clear(seed)
        with open(self.log, "w", encoding="utf-8"):
            pass
        tasks = [[Slot(self.faults(chance)) for _ in range(2)] for _ in range(TASKS)]
        try:
            wait_for(lambda: all([self.go_on(task, slots) for task, slots in enumerate(tasks)]), "all tasks are done", 600)
        finally:
            for slot in (slot for slots in tasks for slot in slots if slot.process):
                slot.process.kill()
                slot.process.wait()
        for command in (["status"], ["merge"], ["verify"], ["verify", "--gc"]):
            run([self.program, *command, self.output], env=self.known)
        self.check()
        with open(self.log, encoding="utf-8") as file:
            return [line.split(" ") for line in file.read().splitlines()]

    def clear(self, _):
        shutil.rmtree(self.output, ignore_errors=True)

    def check(self):
        check_rows(self.output, self.rows, is_gone)
        check_files(self.output, SHARDS)

    def faults(self, chance):
        """Steps with signals."""
        return [(1 + int(self.most_steps * chance.random() ** 2), chance.choice([signal.SIGKILL] * 3 + [signal.SIGSTOP]))
                for _ in range(chance.randint(1, 4))]

    def go_on(self, task, slots):
        """Looks after the two workers of a task. Returns whether both are over."""
        for slot, twin in (slots, slots[::-1]):
            if slot.is_over:
                continue
            if slot.process is None:
                slot.process = self.start(task, slot.faults.pop(0) if slot.faults else None)
                continue
            process, status = os.waitpid(slot.process.pid, os.WNOHANG | os.WUNTRACED)
            if process and os.WIFSTOPPED(status):
                slot.is_halted = True
            elif process:
                slot.process.returncode = os.waitstatus_to_exitcode(status)
                if slot.process.returncode not in (0, -signal.SIGKILL):
                    raise Failed(f"task {task} ended with {slot.process.returncode}: {self.said()}")
                # Whoever was believed dead goes on, when another one has ended.
                for halted in (slot, twin):
                    self.wake(halted)
                slot.is_over, slot.process = slot.process.returncode == 0, None
            elif slot.is_halted and (twin.is_halted or twin.is_over):
                self.wake(slot)
        return all(slot.is_over for slot in slots)

    @staticmethod
    def wake(slot):
        if slot.is_halted and slot.process:
            slot.is_halted = False
            os.kill(slot.process.pid, signal.SIGCONT)

    def start(self, task, fault):
        known = dict(self.known)
        if fault:
            known |= {"LD_PRELOAD": self.library, "STEP_FOLDER": self.paths, "STEP_LOG": self.log,
                      "STEP_NUMBER": str(fault[0]), "STEP_SIGNAL": str(int(fault[1]))}
        with open(os.path.join(self.folder, "said"), "ab") as said:
            return subprocess.Popen(
                [self.program, "develop", "--plan", self.plan, "--task", str(task), "-o", self.output, "--quiet", "--jobs", "2"],
                stdin=subprocess.DEVNULL, stdout=said, stderr=said, env=known, preexec_fn=end_with_parent)

    def said(self):
        with open(os.path.join(self.folder, "said"), encoding="utf-8", errors="replace") as file:
            return file.read()[-2000:]

    @property
    def paths(self):
        """How what changes in the output is named."""
        return self.output + "/"

    def place(self, path):
        """What a worker was at when it was hit."""
        folder = path.removeprefix(self.paths).rpartition("/")[0]
        return {"data": "at a shard", "done": "at a marker"}.get(folder, "before its first shard")


def is_gone(address):
    return "/gone-" in address


def check_kills(killer, name, runs, seed, say):
    """Does so many runs, each of which loses no row and doubles none."""
    places, hits, option = collections.Counter(), 0, "--store-runs" if name == "store" else "--runs"
    for number in range(runs):
        try:
            steps = killer.run(seed + number)
        except Failed as failure:
            raise Failed(f"SEED={seed + number} (Scripts/check-cluster --only {name} {option} 1 --seed {seed + number}): {failure}") from None
        hits += len(steps)
        places.update(killer.place(path) for _, path in steps)
    amid = places["at a shard"] + places["at a marker"]
    check(amid >= 2 * runs and places["at a marker"] >= runs // 10, f"too few workers were hit amid a shard: {dict(places)}")
    say(f"{runs} runs of {SHARDS} shards (seeds {seed} to {seed + runs - 1}), each task twice at once: 0 of {runs * ROWS} rows lost, "
        f"0 doubled; {hits} workers killed or stopped, {amid} of them amid a shard "
        f"({', '.join(f'{count} {place}' for place, count in sorted(places.items()))})")
