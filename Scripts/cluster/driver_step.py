"""The tasks of a plan by a driver of Cluster/ on a cluster of Python's world, of which a worker is killed with its program, and a program alone."""

import os
import re
import signal

from packages import REPOSITORY, python
from plans import Plan
from processes import (
    check, check_listeners, command_line, descendants, is_alive, kill, parents, program as runs, send, start, stop,
    wait_for)
from web import LIMITS, check_politeness

DASK = """
from distributed import LocalCluster
cluster = LocalCluster(n_workers=3, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0",
                       worker_dashboard_address="127.0.0.1:0")
print("address:", cluster.scheduler_address, flush=True)
import signal
signal.pause()
"""


class Engine:
    """A cluster of three workers, each for one task at a time."""

    def __init__(self, folder):
        self.folder, self.process, self.said = folder, None, os.path.join(folder, "cluster.out")

    def launch(self, command, environment, pattern):
        self.process = start(command, log=self.said, env=environment)
        return wait_for(lambda: self.find(pattern), "the cluster is there", 120)

    def find(self, pattern):
        with open(self.said, encoding="utf-8") as file:
            found = re.search(pattern, file.read())
        return found and found[1]

    def worker_of(self, process):
        """The engine's process that a program runs in."""
        return parents()[process]

    def stop(self):
        if self.process:
            stop(self.process, 40)


class Dask(Engine):
    def start(self, environment):
        path = os.path.join(self.folder, "cluster.py")
        with open(path, "w", encoding="utf-8") as file:
            # Its workers begin with this file again.
            file.write("if __name__ == '__main__':" + DASK.replace("\n", "\n    ") + "\n")
        # Its temporary files are this run's.
        environment = {**environment, "DASK_TEMPORARY_DIRECTORY": self.folder}
        return {**environment, "DASK_SCHEDULER_ADDRESS": self.launch([python(), path], environment, r"address: (\S+)")}


class Ray(Engine):
    def start(self, environment):
        # Paths of sockets are short.
        self.temporary = os.path.join(os.path.dirname(self.folder), "r")
        address = self.launch(
            [os.path.join(os.path.dirname(python()), "ray"), "start", "--head", "--block", "--num-cpus=3", "--port=0",
             "--node-ip-address=127.0.0.1", "--include-dashboard=false", "--disable-usage-stats", f"--temp-dir={self.temporary}",
             "--object-store-memory=80000000"], environment, r"--address='([^']+)'")
        return {**environment, "RAY_ADDRESS": address}


class Spark(Engine):
    """Its master and its executors belong to the driver."""

    def start(self, environment):
        environment = {**environment, "PYSPARK_PYTHON": python(), "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_DIRS": self.folder,
                       "JAVA_TOOL_OPTIONS": f"-Djava.net.preferIPv4Stack=true -Djava.io.tmpdir={self.folder} -Duser.home={self.folder}",
                       "SPARK_WORKER_DIR": os.path.join(self.folder, "work"),
                       "PYSPARK_SUBMIT_ARGS": "--master local-cluster[3,1,1024] --conf spark.ui.enabled=false "
                                              "--conf spark.driver.host=127.0.0.1 --conf spark.driver.bindAddress=127.0.0.1 "
                                              "pyspark-shell"}
        return environment

    def worker_of(self, process):
        return next(worker for worker in descendants(os.getpid()) if process in descendants(worker)
                    and "org.apache.spark.executor.CoarseGrainedExecutorBackend" in command_line(worker))

    def stop(self):
        # The virtual machines take a moment to end after the driver.
        wait_for(lambda: not any(os.path.basename(runs(process)) == "java" for process in descendants(os.getpid())), "Spark has ended")


ENGINES = {"dask": Dask, "ray": Ray, "spark": Spark}


def check_driver(name, folder, program, web, say):
    os.makedirs(folder)
    plan = Plan(folder, program, web)
    web.forget()
    log = os.path.join(folder, "driver.out")
    engine, driver = ENGINES[name](folder), None
    try:
        environment = engine.start(plan.environment)
        driver = start([python(), os.path.join(REPOSITORY, "Cluster", f"{name}_driver.py"), plan.folder, plan.output, *LIMITS],
                       log=log, env=environment)
        worker = plan.halt_amid_a_shard(lambda: list(plan.workers()))
        kill(engine.worker_of(worker.process))
        send(worker.process, signal.SIGCONT)
        wait_for(lambda: not is_alive(worker.process), "the program ends with its worker")
        say(f"task {worker.task}: the engine's worker killed amid a shard")
        # One program is killed alone, too.
        other = plan.halt_amid_a_shard(lambda: [w for w in plan.workers() if w.task != worker.task])
        kill(other.process)
        say(f"task {other.task}: the program killed amid a shard")
        say(f"{check_listeners()} ports, all on the loopback device")
        wait_for(lambda: driver.poll() is not None, "the driver is over", 300)
    finally:
        if driver:
            stop(driver)
        engine.stop()
    with open(log, encoding="utf-8") as file:
        check(driver.returncode == 0, f"the driver ended with {driver.returncode}: {file.read()}")
    tries = list(plan.tasks_of_workers().values())
    check(all(tries.count(task) == (2 if task in (worker.task, other.task) else 1) for task in range(plan.tasks)),
          f"not each task was begun once, and those that were killed twice: {tries}")
    say(plan.check(abandoned=1))
    say(check_politeness(web.requests(), plan.tasks_of_workers(), each_task_once=True))
