"""Which tasks of a plan are left, for drivers: where nothing has begun, all of them."""

import subprocess
import sys


def tasks_left(plan, output):
    said = subprocess.run(["classicphotos", "status", "--tasks-of", plan, output], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, text=True, check=False)
    if said.returncode not in (0, 1):
        sys.exit(said.returncode)
    tasks = []
    for part in filter(None, said.stdout.strip().split(",")):
        first, _, last = part.partition("-")
        tasks += range(int(first), int(last or first) + 1)
    if said.returncode and not tasks:
        # Markers are damaged, which tasks do not mend.
        sys.exit(said.returncode)
    return tasks
