"""What make does before it runs a script."""

import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

# What stands for set-up: two at once would be in each other's way.
SETUP = """#!/bin/sh
mkdir lock || exit 1
sleep 0.3
rmdir lock
"""


class MakeTests(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        os.makedirs(os.path.join(self.folder, "Scripts"))
        os.makedirs(os.path.join(self.folder, "tools"))
        shutil.copy(os.path.join(ROOT, "Makefile"), self.folder)

    def script(self, path, text):
        path = os.path.join(self.folder, path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)

    def test_it_sets_up_once_at_a_time(self):
        self.script("Scripts/setup", SETUP)
        for name in ["Scripts/demo", "Scripts/translations", "tools/swift"]:
            self.script(name, "#!/bin/sh\n")
        path = f"{os.path.join(self.folder, 'tools')}:{os.environ['PATH']}"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
        for arguments, flags in ((["-j8"], ""), ([], "-j8")):
            result = subprocess.run(
                ["make", *arguments, "run"], cwd=self.folder, capture_output=True, text=True, check=False,
                env=environment | {"PATH": path, "MAKEFLAGS": flags})
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_prefix_that_the_shell_has_not_expanded_is_refused(self):
        for arguments in (["~/.local"], ["out", "/tmp/package"], ["--remove", "~/.local"]):
            result = subprocess.run(
                [os.path.join(ROOT, "Scripts", "install"), *arguments], capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(arguments[-2 if arguments[0] == "out" else -1], result.stderr)
        self.assertFalse(os.path.exists(os.path.join(ROOT, "~")))


if __name__ == "__main__":
    unittest.main()
