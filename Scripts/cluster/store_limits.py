"""What an object store may hold against a run: a certificate that nobody knows, a bucket that is full, a clock that differs; and folders with more
objects than one list has."""

import json
import os
import subprocess

from processes import check, run

BUCKET = "limits"
# A list has a thousand at most.
MANY = 1100
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shift_clock.c")


class StoreLimits:
    def __init__(self, store, gateway):
        self.store, self.gateway = store, gateway

    def call(self, *words, **changes):
        """Runs the program, and returns its exit status and what it said."""
        done = subprocess.run([self.store.program, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False, timeout=300, env={**self.store.known, **changes})
        secret = self.store.known["AWS_SECRET_ACCESS_KEY"]
        check(secret not in done.stdout, "a secret was said")
        return done.returncode, done.stdout

    def check(self, say):
        self.gateway.make_bucket(BUCKET)
        plan, output = f"s3://{BUCKET}/plan", f"s3://{BUCKET}/output"
        done = self.call("plan", self.store.catalog, "-o", plan, "--tasks", "1", "--rows-per-shard", "20", "--filter", "none", "--size", "64",
                         "--quiet")
        check(done[0] == 0, f"plan: {done}")
        work = ("develop", "--plan", plan, "--task", "0", "-o", output, "--quiet")
        self.check_quota(work, output)
        say("a full bucket ends a task with 75 and nothing half committed; with room it goes on")
        self.check_certificate(output)
        say("over TLS with the store's own authority; without it a command ends with 2")
        self.check_clock(output)
        say("a clock that is hours ahead or behind is named, and ends a command with 2")
        self.check_long_lists(output)
        say(f"folders with {MANY} objects more are read to their end")

    def quota(self, *words):
        self.gateway.admin("quota", *words, "--quota-scope=bucket", "--uid=photos")

    def check_quota(self, work, output):
        # The plan is there, the first shard fits, and the second one does not.
        used = json.loads(self.gateway.admin("bucket", "stats", f"--bucket={BUCKET}"))["usage"]["rgw.main"]["num_objects"]
        self.quota("set", f"--max-objects={used + 6}", "--max-size=-1")
        self.quota("enable")
        status, said = self.call(*work, AWS_MAX_ATTEMPTS="2")
        check(status == 75 and "QuotaExceeded" in said and "is full" in said, f"a full bucket: {status} {said}")
        committed = [name for name in self.gateway.names(BUCKET, "output/done/") if name.endswith(".json")]
        check(len(committed) < 3, f"all shards were committed into a full bucket: {committed}")
        self.quota("disable")
        status, said = self.call(*work)
        check(status == 0, f"with room: {status} {said}")
        status, said = self.call("verify", output)
        check(status == 0, f"verify: {status} {said}")

    def check_certificate(self, output):
        secure = {"AWS_ENDPOINT_URL": f"https://localhost:{self.gateway.secure_port}", "no_proxy": "localhost"}
        status, said = self.call("verify", output, **secure, AWS_CA_BUNDLE=self.gateway.certificate)
        check(status == 0, f"over TLS: {status} {said}")
        status, said = self.call("status", output, **secure)
        check(status == 2 and "certificate" in said and "AWS_CA_BUNDLE" in said, f"an unknown authority: {status} {said}")

    def check_clock(self, output):
        library = os.path.join(self.store.folder, "shift_clock.so")
        run(["clang", "-O1", "-Wall", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"])
        for hours, words in (3, "3 hours ahead of"), (-3, "3 hours behind"):
            status, said = self.call("status", output, LD_PRELOAD=library, SHIFT_CLOCK=str(3600 * hours))
            check(status == 2 and "RequestTimeTooSkewed" in said and words in said, f"{hours} hours: {status} {said}")

    def check_long_lists(self, output):
        before = self.call("status", output)
        for number in range(MANY):
            for folder in "done", "data":
                # Before all that is looked for.
                self.gateway.ask("PUT", f"/{BUCKET}/output/{folder}/-{number:04}")
        check(len(self.gateway.names(BUCKET, "output/done/")) > MANY, "objects are missing in a list")
        after = self.call("status", output)
        check(before == after and before[0] == 0, f"{before} has become {after}")
        status, said = self.call("merge", output)
        check(status == 0, f"merge: {status} {said}")
        listed = [name for name in self.gateway.names(BUCKET, "output/dataset/") if name.endswith(".tar")]
        check(len(listed) == 3, f"the data set has {listed}")
