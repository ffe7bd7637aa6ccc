"""The Debian packages that Scripts/setup names, beside what Package.swift needs of the system."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def packages(*groups):
    result = subprocess.run([os.path.join(ROOT, "Scripts", "setup"), "--list", *groups], check=True, capture_output=True, text=True)
    return set(result.stdout.split())


class SetupTests(unittest.TestCase):
    def setUp(self):
        with open(os.path.join(ROOT, "Package.swift"), encoding="utf-8") as file:
            parts = file.read().split("if withGtk {")
        self.assertEqual(len(parts), 2)
        self.libraries, self.app = [set(re.findall(r'"([\w.+-]+-dev)"', part)) for part in parts]

    def test_the_packages_of_the_libraries_are_named_without_those_of_the_app(self):
        self.assertGreater(len(self.libraries), 8)
        self.assertLessEqual(self.libraries, packages("library"))
        self.assertFalse(self.app & packages("library"))

    def test_the_tests_have_the_packages_of_the_app_too(self):
        self.assertLessEqual(self.libraries | self.app, packages("test"))

    def test_a_group_that_builds_has_the_packages_of_the_libraries(self):
        for group in ["build", "run", "docs", "bench", "deb"]:
            self.assertLess(packages("library"), packages("build"))
            self.assertLessEqual(packages("build"), packages(group))

    def test_a_build_without_the_library_of_the_tests_is_silent(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "Scripts"))
            script = shutil.copy(os.path.join(ROOT, "Scripts", "setup"), os.path.join(folder, "Scripts"))
            installed = os.path.join(folder, "installed")
            os.mkdir(installed)
            stand_in = os.path.join(folder, "build", "pkgconfig", "atspi-2.pc")
            environment = os.environ | {"PKG_CONFIG_LIBDIR": installed, "PKG_CONFIG_PATH": ""}
            for libraries, is_there in [(["gtk4", "libadwaita-1", "libsoup-3.0"], True), (["atspi-2"], False)]:
                for library in libraries:
                    with open(os.path.join(installed, f"{library}.pc"), "w", encoding="utf-8") as file:
                        file.write(f"Name: {library}\nDescription: {library}\nVersion: 4\n")
                subprocess.run([script, "build"], check=True, env=environment)
                self.assertEqual(os.path.exists(stand_in), is_there)

    def test_a_group_that_is_not_there_is_refused(self):
        result = subprocess.run(
            [os.path.join(ROOT, "Scripts", "setup"), "--list", "libary"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("there are: library, build, ", result.stderr)


if __name__ == "__main__":
    unittest.main()
