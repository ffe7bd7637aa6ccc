"""The floors of CONTRIBUTING.md are those of the sources."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Sources"
PAGE = (ROOT / "CONTRIBUTING.md").read_text()


def floors():
    """The floor of each target that the table names."""
    rows = re.findall(r"^\| (\d) \| (.*) \|$", PAGE, re.MULTILINE)
    return {name: int(floor) for floor, text in rows for name in re.findall(r"`([\w-]+)`", text)}


def imports(target):
    """The modules that the sources of a target import, each with a file that does."""
    form = re.compile(
        r"^(?:@\w+ )*(?:\w+ )?import (?:(?:class|enum|func|let|protocol|struct|typealias|var) )?(\w+)", re.MULTILINE)
    return {
        module: path
        for path in (SOURCES / target).rglob("*.swift")
        for module in form.findall(path.read_text())
    }


class FloorTests(unittest.TestCase):
    def test_the_table_names_each_target(self):
        self.assertEqual(set(floors()), {path.name for path in SOURCES.iterdir() if path.is_dir()})

    def test_targets_import_only_from_floors_below(self):
        known = floors()
        count = 0
        for target, floor in known.items():
            for module, path in imports(target).items():
                if module not in known or module == target or (target, module) == ("Operations", "OperationsCore"):
                    continue
                count += 1
                self.assertLess(known[module], floor, f"{path.relative_to(ROOT)} imports {module}")
        self.assertGreater(count, 50)

    def test_those_near_the_ground_use_no_more_than_foundation_essentials(self):
        sentence = re.search(r"The engine, `(\w+)` and `(\w+)` use Foundation; what else stands on floors 1 and 2", PAGE)
        self.assertIsNotNone(sentence)
        others = {"Operations", "OperationsCore", *sentence.groups()}
        for target, floor in floors().items():
            if floor in (1, 2):
                uses = imports(target).get("Foundation")
                self.assertTrue(uses is None or target in others, f"{uses}")


if __name__ == "__main__":
    unittest.main()
