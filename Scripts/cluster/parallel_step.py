"""The tasks of a plan by GNU parallel, of which one is killed."""

import os

from plans import Plan
from processes import check, kill, run, start, stop, wait_for
from web import LIMITS, check_politeness

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Cluster", "parallel.sh")


def check_parallel(folder, program, web, say):
    os.makedirs(folder)
    plan = Plan(folder, program, web)
    web.forget()
    # Who forgets the output folder is told so.
    run([SCRIPT, str(plan.tasks), plan.folder], statuses=(2,))
    # It keeps files of its own in the home.
    environment = {**plan.environment, "HOME": folder, "PARALLEL_HOME": os.path.join(folder, "home")}
    log = os.path.join(folder, "parallel.out")
    # A folder may be named with a slash at its end.
    engine = start([SCRIPT, str(plan.tasks), plan.folder, plan.output + "/", "--jobs", "3", "--", *LIMITS], log=log,
                   env=environment)
    try:
        worker = plan.halt_amid_a_shard(lambda: list(plan.workers(engine.pid)))
        kill(worker.process)
        say(f"task {worker.task}: worker killed amid a shard")
        wait_for(lambda: engine.poll() is not None, "parallel is over", 300)
    finally:
        stop(engine)
    with open(log, encoding="utf-8") as file:
        check(engine.returncode == 0, f"parallel ended with {engine.returncode}: {file.read()}")
    tries = list(plan.tasks_of_workers().values())
    check(tries.count(worker.task) == 2 and len(tries) == plan.tasks + 1, f"not each task was begun once, and the killed one twice: {tries}")
    say(plan.check(abandoned=1))
    say(check_politeness(web.requests(), plan.tasks_of_workers(), each_task_once=True))
