"""Runs as in `kill_runs`, into an object store."""

import os
import shutil

from kill_runs import SHARDS, KillRuns, is_gone
from plans import check_rows
from processes import check

BUCKET = "photos"


class StoreKillRuns(KillRuns):
    # Each request that changes something is a step, and so is its answer.
    most_steps = 150

    def __init__(self, folder, program, gateway, known):
        super().__init__(folder, program, known)
        self.gateway, self.copy = gateway, os.path.join(folder, "copy")

    def clear(self, seed):
        self.prefix = f"killed-{seed}/"
        self.output = f"s3://{BUCKET}/killed-{seed}"

    @property
    def paths(self):
        return f"/{BUCKET}/{self.prefix}"

    def check(self):
        """What is in the store is fetched by other means than the program's."""
        shutil.rmtree(self.copy, ignore_errors=True)
        self.fetch("index.jsonl")
        self.fetch("shards.txt")
        with open(os.path.join(self.copy, "shards.txt"), encoding="utf-8") as file:
            for name in file.read().splitlines():
                self.fetch(name)
        check_rows(self.copy, self.rows, is_gone)
        for folder, files in ("data", 3 * SHARDS), ("done", SHARDS):
            left = self.gateway.names(BUCKET, f"{self.prefix}{folder}/")
            check(len(left) == files, f"{len(left)} objects in {folder} of {SHARDS} shards")

    def fetch(self, name):
        path = os.path.join(self.copy, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(self.gateway.ask("GET", f"{self.paths}{name}"))
