"""The tasks of a plan on a Dask cluster of three worker processes, of which one is killed with its program."""

import os
import re
import signal

from packages import REPOSITORY, python
from plans import Plan
from processes import check, check_listeners, command_line, descendants, is_alive, kill, send, start, stop, wait_for
from web import LIMITS, check_politeness

CLUSTER = """
from distributed import LocalCluster
cluster = LocalCluster(n_workers=3, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0",
                       worker_dashboard_address="127.0.0.1:0")
print("scheduler:", cluster.scheduler_address, flush=True)
import signal
signal.pause()
"""


def check_dask(folder, program, web, say):
    os.makedirs(folder)
    interpreter = python()
    plan = Plan(folder, program, web)
    web.forget()
    log, said = os.path.join(folder, "driver.out"), os.path.join(folder, "cluster.out")
    with open(os.path.join(folder, "cluster.py"), "w", encoding="utf-8") as file:
        # Its workers begin with this file again.
        file.write("if __name__ == '__main__':" + CLUSTER.replace("\n", "\n    ") + "\n")
    # Its temporary files are this run's.
    environment = {**plan.environment, "DASK_TEMPORARY_DIRECTORY": folder}
    cluster = start([interpreter, os.path.join(folder, "cluster.py")], log=said, env=environment)
    driver = None
    try:
        address = wait_for(lambda: find(said, r"scheduler: (\S+)"), "the cluster is there", 60)
        driver = start([interpreter, os.path.join(REPOSITORY, "Cluster", "dask_driver.py"), plan.folder, plan.output, *LIMITS],
                       log=log, env={**environment, "DASK_SCHEDULER_ADDRESS": address})
        worker = plan.halt_amid_a_shard(lambda: list(plan.workers(cluster.pid)))
        host = dask_worker(cluster.pid, worker.process)
        kill(host)
        send(worker.process, signal.SIGCONT)
        wait_for(lambda: not is_alive(worker.process), "the program ends with its worker")
        say(f"task {worker.task}: Dask's worker killed amid a shard")
        # One program is killed alone, too.
        other = plan.halt_amid_a_shard(lambda: [w for w in plan.workers(cluster.pid) if w.task != worker.task])
        kill(other.process)
        say(f"task {other.task}: the program killed amid a shard")
        say(f"{check_listeners()} ports, all on the loopback device")
        wait_for(lambda: driver.poll() is not None, "the driver is over", 300)
    finally:
        if driver:
            stop(driver)
        stop(cluster)
    with open(log, encoding="utf-8") as file:
        check(driver.returncode == 0, f"the driver ended with {driver.returncode}: {file.read()}")
    tries = list(plan.tasks_of_workers().values())
    check(all(tries.count(task) == (2 if task in (worker.task, other.task) else 1) for task in range(plan.tasks)),
          f"not each task was begun once, and those that were killed twice: {tries}")
    say(plan.check(abandoned=1))
    say(check_politeness(web.requests(), plan.tasks_of_workers(), each_task_once=True))


def find(path, pattern):
    with open(path, encoding="utf-8") as file:
        found = re.search(pattern, file.read())
    return found and found[1]


def dask_worker(cluster, process):
    """Dask's process that a program runs in."""
    return next(worker for worker in descendants(cluster) if process in descendants(worker)
                and any("spawn_main" in word for word in command_line(worker)))
