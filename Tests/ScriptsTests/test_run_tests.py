"""Which tests Scripts/lib/run-tests has run, and what becomes of faults, where a stand-in takes the place of the tests."""

import os
import signal
import subprocess
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Scripts", "lib", "run-tests")
# Writes down what it is asked to run, and goes wrong as the environment says.
BUNDLE = """#!/bin/bash
case $1 in
--list-tests)
    printf 'Listing 4 tests in debug.xctest:\\n\\nA.One/testA\\nA.One/testB\\nA.Two/testA\\nB.One/testA\\n'
    exit "${LISTING:-0}"
    ;;
--testing-library)
    echo "swift-testing ${*:3}" >>"$0.log"
    exit "${SWIFT_TESTING:-69}"
    ;;
esac
echo "xctest $1" >>"$0.log"
eval "${XCTEST:-}"
"""


class RunTestsTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.bundle = os.path.join(self.folder, "ClassicPhotosPackageTests.xctest")
        with open(self.bundle, "w", encoding="utf-8") as file:
            file.write(BUNDLE)
        os.chmod(self.bundle, 0o755)

    def run_tests(self, *arguments, **environment):
        """The status, what was run, and what was said."""
        process = subprocess.run([SCRIPT, self.folder, *arguments], env={**os.environ, **environment}, check=False,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        ran = []
        if os.path.exists(self.bundle + ".log"):
            with open(self.bundle + ".log", encoding="utf-8") as file:
                ran = file.read().splitlines()
            os.remove(self.bundle + ".log")
        return process.returncode, ran, process.stdout

    def test_classes_are_named_as_a_whole_where_all_of_their_tests_are_selected(self):
        for filter, skip, tests in [
            (".", [], "A.One,A.Two,B.One"), (".", ["testB"], "A.One/testA,A.Two,B.One"), (r"A\.", ["Two"], "A.One"),
            (r"One/testA|Two", [r"^B\.(?!.*testB)"], "A.One/testA,A.Two"),
        ]:
            with self.subTest(filter=filter, skip=skip):
                status, ran, _ = self.run_tests(filter, *skip)
                self.assertEqual(status, 0)
                self.assertEqual(ran, [f"xctest {tests}", f"swift-testing --filter {filter} --skip {(skip or ['^$'])[0]}"])

    def test_where_no_test_is_selected_that_is_an_error(self):
        status, ran, text = self.run_tests("None")
        self.assertEqual((status, len(ran)), (1, 1))
        self.assertIn("error: no test has a name that matches 'None'", text)
        self.assertEqual(self.run_tests("None", SWIFT_TESTING="0")[0], 0)

    def test_without_a_list_nothing_is_run(self):
        status, ran, _ = self.run_tests(".", LISTING="3", SWIFT_TESTING="0")
        self.assertNotEqual(status, 0)
        self.assertEqual(ran, [])
        status, ran, _ = self.run_tests("[", SWIFT_TESTING="0")
        self.assertNotEqual(status, 0)
        self.assertEqual(ran, [])

    def test_what_fails_is_told_after_all_have_run(self):
        for environment in [{"XCTEST": "exit 1"}, {"SWIFT_TESTING": "1"}, {"XCTEST": "exit 1", "SWIFT_TESTING": "0"}]:
            with self.subTest(**environment):
                status, ran, _ = self.run_tests(".", **environment)
                self.assertEqual((status, len(ran)), (1, 2))
        status, ran, text = self.run_tests(".", XCTEST="kill -SEGV $$")
        self.assertEqual((status, len(ran)), (139, 2))
        self.assertIn("error: the tests ended with signal 11", text)

    def test_who_ends_the_tests_ends_all_of_them(self):
        before = signal.getsignal(signal.SIGINT)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        # A shell ignores it for what it starts in the background.
        for handler in [before, signal.SIG_IGN]:
            with self.subTest(handler=handler):
                signal.signal(signal.SIGINT, handler)
                status, ran, _ = self.run_tests(".", XCTEST="kill -INT $$")
                self.assertEqual((status, len(ran)), (130, 1))

    def test_tests_that_hang_are_ended_with_what_they_have_started(self):
        # The output would stay open otherwise.
        status, ran, text = self.run_tests(".", XCTEST="(sleep 1000 & sleep 1000) & wait", TESTS_SECONDS="10")
        self.assertEqual((status, len(ran)), (137, 2))
        self.assertIn("error: the tests had not ended after 10 seconds", text)


if __name__ == "__main__":
    unittest.main()
