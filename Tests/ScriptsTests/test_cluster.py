"""What the files in Cluster/ ask their engines for, where stand-ins take the places of the engines."""

import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
CLUSTER = os.path.join(ROOT, "Cluster")


class ClusterTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "PYTHONPATH": self.folder,
                            "PYTHONDONTWRITEBYTECODE": "1"}

    def stand_in(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)

    def run_script(self, *words, **environment):
        return subprocess.run(words, cwd=self.folder, env={**self.environment, **environment}, check=False,
                              capture_output=True, text=True)

    def test_keys_of_dask_are_those_of_one_driver(self):
        self.stand_in("classicphotos", "#!/bin/sh\necho 0-1\n")
        self.stand_in("distributed.py", """
class KilledWorker(Exception):
    pass


class Future:
    def __init__(self, key):
        self.key = key
        print(key)

    def exception(self):
        return None

    def result(self):
        return 0


class Client:
    def submit(self, work, arguments, key, pure):
        return Future(key)


def as_completed(futures):
    return futures
""")
        keys = []
        for _ in range(2):
            done = self.run_script(sys.executable, os.path.join(CLUSTER, "dask_driver.py"), "plan", "pictures")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            keys += done.stdout.split()
        self.assertEqual([key.split("-")[1] for key in keys], ["0", "1", "0", "1"])
        self.assertEqual(len(set(keys)), 4)

    def test_drivers_begin_again_what_was_killed(self):
        self.stand_in("classicphotos", "#!/bin/sh\necho 0\n")
        self.stand_in("ends.py", """
import os

statuses = [int(status) for status in os.environ["STATUSES"].split()]


def end():
    status = statuses.pop(0)
    print(status)
    return status
""")
        self.stand_in("distributed.py", """
import ends


class KilledWorker(Exception):
    pass


class Future:
    def __init__(self, key):
        self.key = key

    def exception(self):
        return None

    def result(self):
        return ends.end()


class Client:
    def submit(self, work, arguments, key, pure):
        return Future(key)


class as_completed:
    def __init__(self, futures):
        self.futures = futures

    def add(self, future):
        self.futures.append(future)

    def __iter__(self):
        while self.futures:
            yield self.futures.pop()
""")
        self.stand_in("ray.py", """
import types

import ends

exceptions = types.SimpleNamespace(RayTaskError=KeyError, RayError=LookupError)


def init(log_to_driver):
    pass


def remote(max_retries):
    return lambda work: types.SimpleNamespace(remote=lambda arguments: object())


def wait(running, num_returns):
    return running[:1], running[1:]


def get(done):
    return ends.end()
""")
        os.mkdir(os.path.join(self.folder, "pyspark"))
        self.stand_in("pyspark/sql.py", """
import ends


class SparkSession:
    class builder:
        @staticmethod
        def appName(name):
            return SparkSession

    @staticmethod
    def getOrCreate():
        return SparkSession

    class sparkContext:
        @staticmethod
        def parallelize(commands, count):
            return Tasks(commands)


class Tasks:
    def __init__(self, commands):
        self.commands = commands

    def map(self, work):
        return self

    def collect(self):
        return [(task, ends.end()) for task, _ in self.commands]
""")
        for driver in ["dask", "ray", "spark"]:
            for statuses, last in [("143 -15 75 137 0", 0), ("75 2", 2), ("128", 128), ("143 " * 10, 143)]:
                with self.subTest(driver=driver, statuses=statuses):
                    done = self.run_script(sys.executable, os.path.join(CLUSTER, driver + "_driver.py"), "plan", "pictures",
                                           STATUSES=statuses)
                    self.assertEqual((done.stdout.split(), done.returncode), (statuses.split(), last), done.stderr)

    def test_a_task_of_slurm_is_begun_again_while_slurm_says_that_it_runs(self):
        self.stand_in("classicphotos", '#!/bin/sh\nexit "$STATUS"\n')
        self.stand_in("squeue", '#!/bin/sh\ncase $* in *--jobs=7_3\\ *) echo "$STATE" ;; esac\n')
        self.stand_in("scontrol", '#!/bin/sh\necho "$*"\n')
        for status, state, count, asked in [
                ("75", "RUNNING", "", "requeue 7_3\n"), ("137", "RUNNING", "9", "requeue 7_3\n"), ("75", "RUNNING", "10", ""),
                ("2", "RUNNING", "", ""), ("0", "RUNNING", "", ""), ("75", "COMPLETING", "", ""), ("143", "CANCELLED", "", "")]:
            with self.subTest(status=status, state=state, count=count):
                # The last task of an array has the array's number.
                done = self.run_script("bash", os.path.join(CLUSTER, "slurm-array.sh"), "plan", "pictures", STATUS=status, STATE=state,
                                       SLURM_JOB_ID="7", SLURM_ARRAY_JOB_ID="7", SLURM_ARRAY_TASK_ID="3", SLURM_RESTART_COUNT=count)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (int(status), asked, ""))

    def test_a_plan_of_many_tasks_is_submitted_to_slurm_in_parts(self):
        self.stand_in("classicphotos", '#!/bin/sh\nprintf "%s " "$@"\n')
        for first, task in [("", "auto"), ("1000", "1003"), ("0", "3")]:
            with self.subTest(first=first):
                done = self.run_script("bash", os.path.join(CLUSTER, "slurm-array.sh"), "plan", "pictures", "--robots",
                                       FIRST_TASK=first, SLURM_ARRAY_TASK_ID="3")
                self.assertEqual(done.stderr, "")
                self.assertIn(f"--task {task} --output pictures --jobs 2 --quiet --robots ", done.stdout)

    def test_the_log_of_parallel_is_a_file_also_beside_an_object_store(self):
        self.stand_in("parallel", '#!/bin/sh\nprintf "%s\\n" "$@"\n')
        for output, log in [("the pictures/", "the pictures.joblog"), ("/shared/pictures", "/shared/pictures.joblog"),
                            ("s3://bucket/pictures/", "pictures.joblog"), ("s3://bucket", "bucket.joblog")]:
            with self.subTest(output=output):
                done = self.run_script("bash", os.path.join(CLUSTER, "parallel.sh"), "2", "plan", output, "--jobs", "4", "--", "--robots")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(done.stdout.splitlines(), [
                    "--quote", "--retries", "10", "--joblog", log, "--jobs", "4", "classicphotos", "develop", "--plan", "plan",
                    "--task", "{}", "--output", output, "--quiet", "--jobs", "1", "--robots", ":::", "0", "1"])


if __name__ == "__main__":
    unittest.main()
