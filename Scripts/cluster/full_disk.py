"""Runs of a task whose disk is full from a random call on: it ends with 75, nothing is half published, and with room all tasks are done."""

import errno
import random
import subprocess

from kill_runs import SHARDS, TASKS
from processes import check, run


def check_full_disk(killer, runs, seed, say):
    """killer: kill_runs' plan of local pictures."""
    chance, places = random.Random(seed), set()
    # What is written before the first shard is hit in each of its calls.
    steps = [*range(1, min(runs, 12) + 1), *(chance.randint(13, killer.most_steps) for _ in range(runs - 12))]
    for number in steps:
        killer.clear(seed)
        with open(killer.log, "w", encoding="utf-8"):
            pass
        said = task(killer, number % TASKS, 75, f"the disk is full from step {number} on", STEP_NUMBER=str(number), LD_PRELOAD=killer.library,
                    STEP_FOLDER=killer.paths, STEP_LOG=killer.log, STEP_ERROR=str(errno.ENOSPC))
        check("the disk is full" in said, f"step {number}: it was not said that the disk is full: {said}")
        with open(killer.log, encoding="utf-8") as file:
            places.add(killer.place(file.read().rstrip("\n").partition(" ")[2]))
        # What is committed is whole.
        told = subprocess.run([killer.program, "verify", killer.output], capture_output=True, text=True, check=False)
        check(told.returncode == (3 if "plan.json" in told.stderr else 1) and "cannot be used" not in told.stderr and
              "is not what" not in told.stderr, f"step {number}: half published: {told.returncode} {told.stderr}")
        for other in range(TASKS):
            task(killer, other, 0, f"there is room after step {number}")
        for command in (["status"], ["merge"], ["verify", "--gc"], ["verify"]):
            run([killer.program, *command, killer.output])
        killer.check()
    say(f"{len(steps)} runs (seed {seed}) of a task whose disk is full from a call on ({', '.join(sorted(places))}): each ended with 75, with what "
        f"it had committed whole; with room {SHARDS} shards were there, and each row once")


def task(killer, number, status, when, **known):
    done = subprocess.run([killer.program, "develop", "--plan", killer.plan, "--task", str(number), "-o", killer.output, "--quiet", "--jobs", "2"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          env={**killer.known, **known})
    check(done.returncode == status, f"{when}: task {number} ended with {done.returncode}: {done.stdout}")
    return done.stdout
