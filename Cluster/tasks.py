"""What all drivers need: which tasks of a plan are left, and the command that does one of them."""

import subprocess
import sys


def tasks_left(plan, output):
    """The numbers of the tasks that are not done: where nothing has begun, of all."""
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


def begins_again(status):
    """Whether a program has ended for now: it says so, or was killed, which a shell tells by 128 and the signal's number."""
    return status == 75 or status < 0 or status > 128


def command(task, plan, output, options):
    """What a worker runs. The program is not to outlive its worker, whose place another one takes, and has one of a machine's places
    among others, so that it takes one processor unless the options say otherwise."""
    return ["setpriv", "--pdeathsig", "TERM", "classicphotos", "develop", "--plan", plan, "--task", str(task),
            "--output", output, "--quiet", "--jobs", "1", *options]
