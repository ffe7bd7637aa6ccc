"""What Scripts/manpages makes of the programs' help texts."""

import importlib.machinery
import importlib.util
import os
import subprocess
import unittest

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Scripts", "manpages")
loader = importlib.machinery.SourceFileLoader("manpages", PATH)
manpages = importlib.util.module_from_spec(importlib.util.spec_from_loader("manpages", loader))
loader.exec_module(manpages)

HELP = """Usage:
  classicphotos filter [OPTION…] IN OUT

Filters the picture IN into the file OUT.

Options:
  -h, --help              Show this help
  -f, --filter=CHAIN      Filter functions, as listed below
                          in a second line

Filter functions are those of CSS:
  sepia(80%)
.none leaves \\ the picture as it is.

Exit status: 0 done, 1 the picture
cannot be read.

Examples:
  classicphotos filter photo.jpg old.jpg
"""


class ManualPageTests(unittest.TestCase):
    def shown(self, page):
        """A page as a person sees it; the formatter has to be silent."""
        result = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-"], input=page, capture_output=True, text=True,
                                env={**os.environ, "MANWIDTH": "80", "MAN_KEEP_FORMATTING": "", "LC_ALL": "C.UTF-8"})
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def test_a_help_text_becomes_a_page(self):
        page = manpages.page("classicphotos-filter", "filter one picture", HELP, "0.2.0", ["classicphotos"])
        text = self.shown(page)
        parts = [
            "NAME", "classicphotos-filter - filter one picture", "SYNOPSIS", "classicphotos filter [OPTION…] IN OUT",
            "DESCRIPTION", "Filters the picture", "OPTIONS", "-f, --filter=CHAIN", "as listed below in a second line",
            "NOTES", "Filter functions are those of CSS:", "sepia(80%)", ".none leaves \\ the picture as it is.",
            "EXIT STATUS", "0 done, 1 the picture cannot be read.", "EXAMPLES", "classicphotos filter photo.jpg old.jpg",
            "SEE ALSO", "classicphotos(1)"]
        at = 0
        for part in parts:
            self.assertIn(part, text[at:], f"missing, or in another place: {text}")
            at = text.index(part, at) + len(part)

    def test_the_help_names_the_commands(self):
        text = "Usage:\n  a\n\nCommands:\n  catalog check CATALOG   say it\n  report DIR   tell it\n"
        self.assertEqual(manpages.commands(text), [("catalog check", "say it"), ("report", "tell it")])


if __name__ == "__main__":
    unittest.main()
