"""What the compiler says of code that cannot work here: one error for each mistake, which says what to use."""

import os
import re
import subprocess
import sys
import unittest

LIB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Scripts", "lib")
sys.path[:0] = [LIB]
from libraries import binary_folder, compiler_flags  # noqa: E402


def errors(statements):
    """The compiler's errors of each statement, in a program that uses the libraries as they were built last."""
    built = binary_folder()
    code = "".join(f"_ = {statement}\n" for statement in statements)
    process = subprocess.run(
        ["swiftc", "-typecheck", "-swift-version", "6", "-module-cache-path", os.path.join(built, "ModuleCache"),
         *compiler_flags(built), "-"], input=f"import Operations\n{code}", capture_output=True, text=True, check=False)
    found = re.findall(r"^<stdin>:(\d+):\d+: error: (.*)$", process.stderr, re.MULTILINE)
    return [[message for line, message in found if int(line) == number + 2] for number in range(len(statements))]


class KeyValueObservingTests(unittest.TestCase):
    def test_one_error_says_what_to_use(self):
        queue = r"use observe \{ event in … \} or events\(\)"
        operation = r"use observe \{ state in … \} or states"
        calls = [
            (queue, r"OperationQueue().observe(\.operationCount) { queue, change in print(queue, change) }"),
            (queue, r"OperationQueue().observe(\.operationCount, options: [.new]) { _, change in print(change.newValue ?? 0) }"),
            (queue, r"OperationQueue().observe(\OperationQueue.isSuspended, options: [.initial, .new]) { queue, _ in "
                    "print(queue.isSuspended) }"),
            (operation, r"Operation().observe(\.isFinished) { operation, _ in print(operation.isFinished) }"),
            (operation, r"BlockOperation {}.observe(\.isExecuting, options: [.old, .new]) { _, change in "
                        "print(change.oldValue ?? false, change.isPrior) }"),
        ]
        used = ["OperationQueue().observe { event in print(event) }", "Operation().observe { state in print(state) }"]
        found = errors([call for _, call in calls] + used)
        for (advice, call), messages in zip(calls, found):
            with self.subTest(call):
                self.assertEqual(len(messages), 1, messages)
                self.assertRegex(messages[0], f"Linux has no key-value observing: {advice}")
        self.assertEqual(found[len(calls):], [[], []], "What it says to use compiles.")


if __name__ == "__main__":
    unittest.main()
