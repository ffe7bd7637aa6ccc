"""Each function that a script calls is in the script, or in a file that the script sources."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CALL = re.compile(r"(?:^|[;&|('{]|\b(?:if|then|else|do|while|until)\s|!\s)[ \t]*([a-z]+(?:_[a-z]+)+)(?=[ ;)'\"\n]|$)", re.MULTILINE)
DEFINITION = re.compile(r"^(\w+)\(\) ?[{(]", re.MULTILINE)
SOURCE = re.compile(r"^\s*(?:source|\.) (?:\S*/)?(?:Scripts/)?(lib/[\w.-]+)", re.MULTILINE)


def text(path: pathlib.Path) -> str:
    """The script without its comments."""
    return re.sub(r"^\s*#.*$", "", path.read_text(), flags=re.MULTILINE)


def functions(path: pathlib.Path) -> set[str]:
    """What the script may call: its own functions, and those of what it sources."""
    script = text(path)
    found = set(DEFINITION.findall(script))
    for name in SOURCE.findall(script):
        found |= functions(ROOT / "Scripts" / name)
    return found


class FunctionTests(unittest.TestCase):
    def test_each_function_that_is_called_is_there(self):
        folders = [ROOT / "Scripts", ROOT / "Benchmarks", ROOT / ".ci"]
        scripts = [
            path for folder in folders for path in folder.iterdir()
            if path.is_file() and path.read_bytes().startswith(b"#!/usr/bin/env bash")
        ]
        self.assertGreater(len(scripts), 20)
        # Other words with underscores are of nginx, awk and Python.
        verbs = {name.split("_")[0] for path in (ROOT / "Scripts" / "lib").glob("*.sh") for name in functions(path)}
        calls = 0
        for path in sorted(scripts):
            called = {name for name in CALL.findall(text(path)) if name.split("_")[0] in verbs}
            calls += len(called)
            with self.subTest(path.relative_to(ROOT)):
                self.assertEqual(sorted(called - functions(path)), [])
        self.assertGreater(calls, 20)


if __name__ == "__main__":
    unittest.main()
