"""Scripts that ask servers on this machine, where the environment names a proxy that nothing answers at."""

import os
import pty
import select
import shutil
import subprocess
import tempfile
import unittest
import urllib.request

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

# What stands for the program: it fetches what a catalog lists, and says in the report which photos failed.
DEVELOP = r"""#!/usr/bin/env python3
import csv, sys, urllib.request
if sys.argv[1] == "develop":
    options = dict(zip(sys.argv[3::2], sys.argv[4::2]))
    rows = list(csv.DictReader(open(sys.argv[2])))[-6:]
    with open(options["--report"], "w") as report:
        for row in rows:
            try:
                body = urllib.request.urlopen(row["url"], timeout=30).read()
                status = "failed" if len(body) == 60000 or body.startswith(b"This is no picture") else "filtered"
            except OSError:
                status = "failed"
            print(row["name"], row["url"], status, "", sep=",", file=report)
    sys.exit(1)
"""
# What stands for the check of the example: it notes what it finds in the environment.
SAY = '#!/bin/sh\necho "$no_proxy $NO_PROXY" >>"$SAID"\n'


class ProxyTests(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        # nginx's worker may be another user.
        os.chmod(self.folder, 0o755)
        os.makedirs(os.path.join(self.folder, "Scripts"))
        shutil.copytree(os.path.join(ROOT, "Scripts", "lib"), os.path.join(self.folder, "Scripts", "lib"))
        self.write("tools/swift", '#!/bin/sh\ncase "$*" in *--show-bin-path*) echo "$PROGRAMS" ;; esac\n')
        self.environment = {
            name: value for name, value in os.environ.items()
            if not name.lower().endswith("_proxy") and name not in ("DISPLAY", "WAYLAND_DISPLAY")
        } | {
            "http_proxy": "http://127.0.0.1:9", "PROGRAMS": self.path("programs"), "SAID": self.path("said"),
            "PATH": f"{self.path('tools')}:{os.environ['PATH']}:/usr/sbin"}

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path(name), 0o755)

    def run_script(self, name, **environment):
        script = shutil.copy(os.path.join(ROOT, "Scripts", name), self.path("Scripts"))
        return subprocess.run([script], env=self.environment | environment, capture_output=True, text=True, check=False)

    def test_the_demo_asks_its_own_server(self):
        self.write("programs/classicphotos", DEVELOP)
        for exceptions in ({}, {"no_proxy": "example.org"}, {"NO_PROXY": "example.org"}):
            result = self.run_script("demo", **exceptions)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            with open(self.path("build/demo/report.csv"), encoding="utf-8") as report:
                self.assertEqual([",failed," in row for row in report], [False] * 3 + [True] * 3)

    def test_the_demo_fails_where_more_fails_than_is_to(self):
        self.write("programs/classicphotos", DEVELOP.replace('(row["url"],', '(row["url"].replace("photos", "gone"),'))
        result = self.run_script("demo")
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("demo: 6 photos failed", result.stderr)

    def test_the_demo_is_done_where_its_app_cannot_be_opened(self):
        self.write("programs/classicphotos", DEVELOP)
        self.write("programs/classicphotos-app", "#!/bin/sh\nexit 1\n")
        result = self.run_script("demo", DISPLAY=":none")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("demo: the app could not be opened", result.stderr)

    def test_the_demo_serves_an_app_that_ran_already(self):
        self.write("programs/classicphotos", DEVELOP)
        self.write("programs/classicphotos-app", "#!/bin/sh\nexit 0\n")
        shutil.copy(os.path.join(ROOT, "Scripts", "demo"), self.path("Scripts"))
        terminal, other = pty.openpty()
        demo = subprocess.Popen(
            [self.path("Scripts/demo")], env=self.environment | {"DISPLAY": ":none"}, stdin=other, stdout=other, stderr=other)
        os.close(other)
        said = b""
        while b"Press Return" not in said:
            self.assertTrue(select.select([terminal], [], [], 60)[0], said)
            said += os.read(terminal, 1000)
        with open(self.path("build/demo/catalog.csv"), encoding="utf-8") as catalog:
            address = catalog.readlines()[-1].strip().split(",")[1]
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self.assertEqual(opener.open(address, timeout=60).status, 200)
        os.write(terminal, b"\n")
        self.assertEqual(demo.wait(60), 0)
        os.close(terminal)

    def test_clients_are_tried_without_the_proxy(self):
        self.write("programs/fetch-picture", '#!/bin/sh\ncase "$1" in *missing*) exit 1 ;; esac\ncp "${1#file://}" "$2"\n')
        self.write("Examples/thumbnail-server/check", SAY)
        for exceptions in ({}, {"NO_PROXY": "example.org"}, {"no_proxy": "*"}):
            result = self.run_script("check-client", **exceptions)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        with open(self.path("said"), encoding="utf-8") as said:
            loopback = "127.0.0.1,localhost"
            self.assertEqual(said.read().splitlines(), [
                f"{loopback} {loopback}", f"{loopback},example.org {loopback},example.org", "* *"])


if __name__ == "__main__":
    unittest.main()
