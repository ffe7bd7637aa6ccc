#!/usr/bin/env python3
"""Does all tasks of a plan on the workers of a Dask cluster, or on this machine where none is named:

    classicphotos plan photos.csv -o /shared/plan --tasks 100
    DASK_SCHEDULER_ADDRESS=tcp://HOST:8786 Cluster/dask_driver.py /shared/plan /shared/pictures --robots --rate 5

What stands behind the folders goes to classicphotos. A task that ends with 75 or is killed is begun again, ten times in all; one that ends
with another status is not. The exit status is the first one of a task that is not 0. The same command goes on where tasks are left.
"""

import subprocess
import sys
import uuid

from distributed import Client, KilledWorker, as_completed

from tasks import begins_again, command, tasks_left


def work(arguments):
    return subprocess.run(arguments, stdin=subprocess.DEVNULL, check=False).returncode


def main(plan, output, *options):
    left = dict.fromkeys(tasks_left(plan, output), 10)
    if not left:
        return 0
    client = Client()
    # For a key that it knows a scheduler hands out what it has, also where another driver has asked.
    run = uuid.uuid4().hex

    def submit(task):
        return client.submit(work, command(task, plan, output, options), key=f"task-{task}-{left[task]}-{run}", pure=False)

    futures, failed = as_completed([submit(task) for task in left]), []
    for future in futures:
        task = int(future.key.split("-")[1])
        status = 75 if isinstance(future.exception(), KilledWorker) else future.result()
        left[task] -= 1
        if begins_again(status) and left[task] > 0:
            futures.add(submit(task))
        elif status != 0:
            print(f"task {task}: exit status {status}", file=sys.stderr)
            failed.append(status if status > 0 else 75)
    return failed[0] if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
