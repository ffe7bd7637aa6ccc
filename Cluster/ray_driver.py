#!/usr/bin/env python3
"""Does all tasks of a plan on a Ray cluster, or on this machine where none is named:

    classicphotos plan photos.csv -o /shared/plan --tasks 100
    RAY_ADDRESS=HOST:6379 Cluster/ray_driver.py /shared/plan /shared/pictures --robots --rate 5

What stands behind the folders goes to classicphotos. A task that ends with 75, or is killed, or whose worker or node is lost, is begun again,
ten times in all; one that ends with another status is not. The exit status is the first one of a task that is not 0. The same command goes on
where tasks are left.
"""

import subprocess
import sys

import ray

from tasks import begins_again, command, tasks_left


@ray.remote(max_retries=0)
def work(arguments):
    return subprocess.run(arguments, stdin=subprocess.DEVNULL, check=False).returncode


def main(plan, output, *options):
    tries = dict.fromkeys(tasks_left(plan, output), 10)
    if not tries:
        return 0
    ray.init(log_to_driver=False)
    running, failed = {work.remote(command(task, plan, output, options)): task for task in tries}, []
    while running:
        (done,), _ = ray.wait(list(running), num_returns=1)
        task = running.pop(done)
        try:
            status = ray.get(done)
        except ray.exceptions.RayTaskError:
            # Not the program has failed, but what starts it.
            raise
        except ray.exceptions.RayError:
            status = 75
        tries[task] -= 1
        if begins_again(status) and tries[task] > 0:
            running[work.remote(command(task, plan, output, options))] = task
        elif status != 0:
            print(f"task {task}: exit status {status}", file=sys.stderr)
            failed.append(status if status > 0 else 75)
    return failed[0] if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
