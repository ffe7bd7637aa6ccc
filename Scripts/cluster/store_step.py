"""The tasks of a plan on an object store, Ceph's gateway: many processes at one shard, each task twice at once, workers killed at random
requests, and keys and buckets that are wrong."""

import os
import re
import subprocess

from gateway import Gateway, OTHER_KEY, OTHER_SECRET
from kill_runs import check_kills
from processes import check, check_listeners, end_with_parent, run
from store_kill_runs import BUCKET, StoreKillRuns
from store_limits import StoreLimits
from web import PHOTOGRAPHS

RACERS = 8


def check_store(folder, program, runs, seed, say):
    os.makedirs(folder)
    gateway = Gateway(os.path.join(folder, "gateway"))
    try:
        gateway.start()
        say(f"Ceph's gateway is up; {check_listeners()} ports, all on the loopback device")
        Store(folder, program, gateway).check(runs, seed, say)
    finally:
        gateway.stop()


class Store:
    def __init__(self, folder, program, gateway):
        self.folder, self.program, self.gateway = folder, program, gateway
        staging = os.path.join(folder, "staging")
        os.makedirs(staging)
        self.known = gateway.environment(TMPDIR=staging)
        self.catalog = os.path.join(folder, "photos.txt")
        photos = os.path.join(folder, "photos")
        run([program, "develop", PHOTOGRAPHS, "--output", photos, "--filter", "none", "--size", "64", "--quiet"])
        names = [os.path.join(photos, name) for name in sorted(os.listdir(photos)) if name.endswith(".jpg")]
        with open(self.catalog, "w", encoding="utf-8") as file:
            for row in range(60):
                path = os.path.join(folder, f"{row}.jpg")
                os.link(names[row % len(names)], path)
                file.write(path + "\n")

    def call(self, *words, statuses=(0,), **changes):
        return run([self.program, *words], statuses, env={**self.known, **changes})

    def plan(self, name, tasks, rows):
        self.call("plan", self.catalog, "-o", f"s3://photos/{name}", "--tasks", str(tasks), "--rows-per-shard", str(rows), "--filter",
                  "none", "--size", "16", "--quiet")

    def start(self, plan, task, output):
        return subprocess.Popen([self.program, "develop", "--plan", f"s3://photos/{plan}", "--task", str(task), "-o", output, "--jobs", "2"],
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=self.known,
                                preexec_fn=end_with_parent)

    def check(self, runs, seed, say):
        self.gateway.make_bucket(BUCKET)
        self.plan("one", 1, 60)
        racers = [self.start("one", 0, "s3://photos/race") for _ in range(RACERS)]
        said = [racer.communicate(timeout=120)[0] for racer in racers]
        check(all(racer.returncode == 0 for racer in racers), f"a racer failed: {said}")
        won = sum(int(re.search(r"(\d+) of 1 shard committed", text)[1]) for text in said)
        check(won == 1, f"{won} of {RACERS} have committed one shard: {said}")
        say(f"{RACERS} processes at one shard: one has committed it")
        check_kills(StoreKillRuns(os.path.join(self.folder, "kills"), self.program, self.gateway, self.known), "store", runs, seed, say)
        for words, changes, code in (
                ("s3://photos/race", {"AWS_SECRET_ACCESS_KEY": "wrong"}, "SignatureDoesNotMatch"),
                ("s3://photos/race", {"AWS_ACCESS_KEY_ID": "nobody"}, "InvalidAccessKeyId"),
                ("s3://photos/race", {"AWS_ACCESS_KEY_ID": OTHER_KEY, "AWS_SECRET_ACCESS_KEY": OTHER_SECRET}, "AccessDenied"),
                ("s3://nowhere/race", {}, "NoSuchBucket")):
            done = subprocess.run([self.program, "status", words], capture_output=True, text=True, check=False, env={**self.known, **changes})
            check(done.returncode == 2 and code in done.stderr, f"{code}: {done.returncode} {done.stderr}")
            secret = changes.get("AWS_SECRET_ACCESS_KEY", self.known["AWS_SECRET_ACCESS_KEY"])
            check(secret == "wrong" or secret not in done.stderr, "a secret was said")
        say("keys and buckets that are wrong end a command with 2 and the store's code")
        StoreLimits(self, self.gateway).check(say)
