"""A job array on Slurm, with all that goes wrong on clusters."""

import collections
import os
import signal

from plans import Plan, unfinished_tasks
from processes import Failed, check, check_listeners, environment, is_alive, kill, run, send, start, wait_for
from slurm import Slurm
from web import LIMITS, check_politeness

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Cluster", "slurm-array.sh")


def check_slurm(folder, program, web, say):
    os.makedirs(folder)
    plan = Plan(folder, program, web)
    slurm = Slurm(os.path.join(folder, "slurm"))
    try:
        slurm.start()
        web.forget()
        # Who forgets the output folder is told so, and the task does not begin again and again.
        run(["bash", SCRIPT, plan.folder], statuses=(2,))
        cancel_a_task(slurm, plan, os.path.join(folder, "cancelled"))
        say("a task that was cancelled: told to end, and not begun again")
        # Some tasks alone keep their numbers, although the array begins with another one than 0.
        some = submit(slurm, plan, "2,5")
        wait_for(lambda: slurm.is_over(some), "two tasks are done")
        check_ended(slurm, some, 2)
        left = unfinished_tasks(program, plan.output)
        check(left == f"0-1,3-4,6-{plan.tasks - 1}", f"tasks 2 and 5 were asked for, and left are {left}")
        say("tasks 2 and 5 alone: done, and no other ones")

        # What `status` lists is what sbatch takes.
        first = submit(slurm, plan, left)
        killed = kill_a_worker(plan, set())
        say(f"task {killed.task} on {killed.node}: worker killed amid a shard")
        lost = lose_a_node(slurm, plan, {killed.task})
        say(f"task {lost.task} on {lost.node}: node lost amid a shard, with all that ran there")
        say(f"{check_listeners()} ports, all on the loopback device")
        slurm.resume(lost.node)
        ended = tell_to_end(slurm, plan, {killed.task, lost.task})
        say(f"task {ended.task} on {ended.node}: told to end amid a shard, as when its time is over")
        undead = raise_the_dead(slurm, plan, {killed.task, lost.task, ended.task})
        say(f"task {undead.task} on {undead.node}: went on beside the worker that took its place")
        second = submit(slurm, plan, f"0-{plan.tasks - 1}")
        say("the whole array was submitted again while it ran")
        slurm.resume(undead.node)
        wait_for(lambda: slurm.is_over(first) and slurm.is_over(second), "both arrays are over", 300)
        wait_for(lambda: not list(plan.workers()), "no worker is left")
        check_ended(slurm, first, plan.tasks - 2)
        check_ended(slurm, second, plan.tasks)
        jobs = slurm.jobs(first)
        for task, count in collections.Counter(worker.task for worker in (killed, lost, ended, undead)).items():
            check(jobs[str(task)][2] >= count, f"Slurm did not begin task {task} again: {jobs}")
        say(plan.check(abandoned=2))
        say(check_politeness(web.requests(), plan.tasks_of_workers(), each_task_once=False))

        # An array that is as long as the plan may begin with 1. All of it is done, and nothing is done again.
        before = sorted(os.listdir(os.path.join(plan.output, "data")))
        last = submit(slurm, plan, f"1-{plan.tasks}")
        wait_for(lambda: slurm.is_over(last), "the array is over")
        check_ended(slurm, last, plan.tasks)
        say(f"an array of 1 to {plan.tasks} on a plan that is done: ended at once")
        left = unfinished_tasks(program, plan.output)
        check(left == "", f"all is done, and left are {left}")
        # sbatch makes a job of it that is no array.
        none = submit(slurm, plan, left)
        wait_for(lambda: slurm.is_over(none), "the job without a task is over")
        job = slurm.jobs(none)
        check(list(job.values()) == [("FAILED", "2:0", 0)], f"an array without tasks: {job}")
        say("an array of the tasks that are left, of which there are none: ended with 2")
        check(sorted(os.listdir(os.path.join(plan.output, "data"))) == before, "what was done was done again")
    finally:
        slurm.stop()


def submit(slurm, plan, array):
    return slurm.submit(array, SCRIPT, plan.folder, plan.output, *LIMITS, environment={"PATH": plan.environment["PATH"]})


def cancel_a_task(slurm, plan, folder):
    """Cancels a task whose program ends in order, as one that is to be begun again does."""
    os.makedirs(folder)
    begun = os.path.join(folder, "begun")
    stand_in = os.path.join(folder, "classicphotos")
    with open(stand_in, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\ntrap 'exit 75' TERM\n: >'{begun}'\nsleep 60 &\nwait\n")
    os.chmod(stand_in, 0o755)
    array = slurm.submit("0", SCRIPT, plan.folder, plan.output, environment={"PATH": f"{folder}:{os.environ['PATH']}"})
    wait_for(lambda: os.path.exists(begun), "the task has begun")
    slurm.ask("scancel", array)
    wait_for(lambda: slurm.is_over(array), "the task that was cancelled is over")
    (state, _, count), = slurm.jobs(array).values()
    check((state, count) == ("CANCELLED", 0), f"the task that was cancelled is {state}, and was begun again {count} times")


def check_ended(slurm, array, count):
    jobs = slurm.jobs(array)
    check(len(jobs) == count and all(job[:2] == ("COMPLETED", "0:0") for job in jobs.values()),
          f"{count} tasks were to be done: {jobs}")


def at_other_tasks(plan, tasks):
    workers = [worker for worker in plan.workers() if worker.node]
    # The others may all be done on a machine that is busy.
    return [worker for worker in workers if worker.task not in tasks] or workers


def kill_a_worker(plan, tasks):
    """Kills a worker alone; the job's script lives and asks to be put into the queue again."""
    worker = plan.halt_amid_a_shard(lambda: at_other_tasks(plan, tasks))
    kill(worker.process)
    return worker


def lose_a_node(slurm, plan, tasks):
    worker = plan.halt_amid_a_shard(lambda: at_other_tasks(plan, tasks))
    slurm.lose(worker.node)
    check(not is_alive(worker.process), "what ran on the node that was lost goes on")
    return worker


def raise_the_dead(slurm, plan, tasks):
    """A node that hangs is given up; its worker goes on when another one has taken its place, at the same shard."""
    for _ in range(5):
        worker = plan.halt_amid_a_shard(lambda: at_other_tasks(plan, tasks))
        slurm.lose(worker.node, spared=worker.process)
        if is_alive(worker.process) and plan.attempts(worker.task):
            break
        # It was just at the end of its shard: nobody would begin that again.
        send(worker.process, signal.SIGCONT)
        slurm.resume(worker.node)
    else:
        raise Failed("each worker ended its shard while its node was being lost")

    def runs_twice():
        others = [other for other in plan.workers() if other.task == worker.task and other.process != worker.process]
        shards = [attempt.partition(".")[0] for attempt in plan.attempts(worker.task, least=0)]
        return others and len(shards) > len(set(shards))

    wait_for(runs_twice, f"task {worker.task} runs twice")
    check(is_alive(worker.process), "the worker that was given up has ended")
    send(worker.process, signal.SIGCONT)
    return worker


def tell_to_end(slurm, plan, tasks):
    """Sends SIGTERM to the script of a task, which Slurm does before the time of a job is over."""
    worker = plan.halt_amid_a_shard(lambda: at_other_tasks(plan, tasks))
    # It asks about the job until that is over, and is told that it is in the queue again.
    engine = start(["scancel", "--batch", "--signal=TERM", environment(worker.process)["SLURM_JOB_ID"]], env=slurm.environment)
    send(worker.process, signal.SIGCONT)
    wait_for(lambda: not is_alive(worker.process), "the worker that is told to end has ended")
    engine.wait()
    return worker
