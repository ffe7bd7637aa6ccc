"""What Scripts/test leaves out under Thread Sanitizer has names by which the other tests find it."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class LeftOutTests(unittest.TestCase):
    def test_each_name_is_a_suite_or_a_test_of_xctest(self):
        script = (ROOT / "Scripts" / "test").read_text()
        lines = re.findall(r"^alone\+?='([^']*)'$", script, re.MULTILINE)
        names = [name for line in lines for name in line.split("|") if name]
        self.assertGreater(len(names), 5)
        sources = "\n".join(path.read_text() for path in (ROOT / "Tests").rglob("*.swift"))
        for name in names:
            with self.subTest(name):
                # Swift Testing leaves a suite out as a whole: one test of it would run nowhere.
                suite, test = rf"(class|struct) {name}\b", rf"func test\w*{name.removeprefix('test')}"
                found = re.search(suite if name.endswith("Tests") else test, sources)
                self.assertIsNotNone(found, f"there is no suite and no test of XCTest that is called {name}")


if __name__ == "__main__":
    unittest.main()
