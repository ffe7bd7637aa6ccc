"""Runs a function for many files, each in a process of its own, as decoders crash, hang and take any memory."""

import multiprocessing
import multiprocessing.connection
import os
import time

SECONDS = 120


def map_in_processes(function, paths, jobs):
    """The results in the order of the paths, each as soon as it can be told."""
    context = multiprocessing.get_context("fork")
    waiting, running, done = list(enumerate(paths))[::-1], {}, {}
    next_one = 0
    while waiting or running:
        while waiting and len(running) < jobs:
            number, path = waiting.pop()
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(target=_run, args=(function, path, theirs))
            process.start()
            theirs.close()
            running[ours] = (number, path, process, time.monotonic() + SECONDS)
        ready = multiprocessing.connection.wait(list(running), timeout=1)
        for pipe, (number, path, process, deadline) in list(running.items()):
            if pipe not in ready and time.monotonic() < deadline:
                continue
            done[number] = _result(pipe, path, pipe in ready)
            process.kill()
            process.join()
            pipe.close()
            del running[pipe]
        while next_one in done:
            yield done.pop(next_one)
            next_one += 1


def _run(function, path, pipe):
    # Libraries write there what they think of a file.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    pipe.send(function(path))


def _result(pipe, path, is_ready):
    try:
        if is_ready:
            return pipe.recv()
    except EOFError:
        return {"path": path, "verdict": "alone", "why": "another program's decoder crashed"}
    return {"path": path, "verdict": "alone", "why": f"another program took more than {SECONDS} s"}
