"""The container file, as far as it can be looked at without a registry to take images from."""

import json
import os
import re
import subprocess
import sys
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path[:0] = [os.path.join(ROOT, "Scripts", "lib")]
from libraries import binary_folder  # noqa: E402


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def instructions():
    """The instructions, each with its arguments on one line, in the order of the file."""
    lines = [line for line in read("Containerfile").splitlines() if not line.startswith("#")]
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if line.strip():
            name, _, arguments = line.partition(" ")
            yield name, " ".join(arguments.split())


class ContainerTests(unittest.TestCase):
    def arguments(self, name):
        return [arguments for instruction, arguments in instructions() if instruction == name]

    def test_instructions_have_the_form_that_builders_read(self):
        self.assertEqual([name for name, _ in instructions()][0], "FROM")
        self.assertLessEqual({name for name, _ in instructions()}, {"FROM", "WORKDIR", "COPY", "RUN", "ENTRYPOINT", "CMD"})
        stages = [re.fullmatch(r"\S+:[\w.-]+(?: AS (\w+))?", arguments) for arguments in self.arguments("FROM")]
        self.assertNotIn(None, stages, "an image has a version")
        for arguments in self.arguments("COPY"):
            stage = re.match(r"--from=(\w+) ", arguments)
            self.assertTrue(stage is None or stage[1] in [match[1] for match in stages], arguments)
        for arguments in self.arguments("ENTRYPOINT") + self.arguments("CMD"):
            self.assertIsInstance(json.loads(arguments), list)
        for arguments in self.arguments("RUN"):
            subprocess.run(["bash", "-n", "-c", arguments], check=True)

    def test_scripts_that_it_runs_are_there_and_are_those_of_make(self):
        scripts = re.findall(r"Scripts/\w+", " ".join(self.arguments("RUN")))
        self.assertEqual(scripts, ["Scripts/setup", "Scripts/install"])
        for script in scripts:
            self.assertTrue(os.access(os.path.join(ROOT, script), os.X_OK), script)

    def test_the_toolchain_is_that_of_the_workflow(self):
        self.assertIn(f"image: {self.arguments('FROM')[0].split()[0]}\n", read(".github/workflows/test.yml"))

    def test_what_was_built_here_is_not_sent(self):
        ignored = read(".containerignore").split()
        self.assertLessEqual({".git", ".build", "build"}, set(ignored))
        self.assertEqual(read(".dockerignore"), read(".containerignore"))
        tracked = subprocess.run(["git", "ls-files", "--", *ignored], cwd=ROOT, check=True, capture_output=True, text=True)
        self.assertEqual(tracked.stdout, "", "the build may need it")

    @unittest.skipUnless('VERSION_ID="12"' in open("/etc/os-release", encoding="utf-8").read(), "packages of Debian 12")
    def test_the_packages_are_those_whose_libraries_the_program_names(self):
        program = os.path.join(binary_folder(), "classicphotos")
        dynamic = subprocess.run(["readelf", "-d", program], check=True, capture_output=True, text=True).stdout
        libraries = [f"*/{library}" for library in re.findall(r"NEEDED.*\[(.*)\]", dynamic)]
        # It finds nothing of the toolchain's, which is linked into the program that is installed, and says so.
        found = subprocess.run(["dpkg", "-S", *libraries], capture_output=True, text=True).stdout
        needed = {line.partition(":")[0] for line in found.splitlines()}
        listed = set(re.findall(r"\blib\S+|\bzlib1g\b", self.arguments("RUN")[-1].partition("rm -rf")[0]))
        self.assertEqual(listed, needed - {"libc6"})


if __name__ == "__main__":
    unittest.main()
