"""Pages of the tutorial quote their programs, and what they quote is there."""

import os
import subprocess
import sys
import tempfile
import unittest

LIB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Scripts", "lib")
sys.path[:0] = [LIB]
import tutorial  # noqa: E402
from libraries import binary_folder, compiler_flags  # noqa: E402

SOURCE = "import A\n\n// MARK: load\nload(40)\n\n// MARK: main thread\nrun()\n"
OUTPUT = "frame 1 ■· 17 ms\nframe 2 ■■ 216 ms\n\nthe end\n"


class PageTests(unittest.TestCase):
    def expand(self, text):
        return tutorial.expand("page.md", text, SOURCE, OUTPUT)

    def test_marks_stand_for_parts_of_the_program_and_paragraphs_of_its_output(self):
        self.assertEqual(self.expand("{{code main thread}}\n"), "```swift\nrun()\n```\n")
        self.assertEqual(self.expand("{{output 2}}"), "```text\nthe end\n```")
        self.assertEqual(self.expand("{{output}}"), f"```text\n{OUTPUT.strip()}\n```")

    def test_what_a_program_does_not_have_is_named(self):
        for mark in ["{{code save}}", "{{output 3}}", "{{output 0}}", "{{picture 1}}"]:
            with self.assertRaisesRegex(tutorial.TutorialError, r"page.md: its program has no " + mark[2:-2]):
                self.expand(mark)

    def test_links_to_files_of_the_repository_become_those_of_the_site(self):
        self.assertEqual(self.expand("Next: [States](4-states.md)"), "Next: <doc:4-states>")
        self.assertEqual(self.expand("![A bar.](../timelines/list-1.svg)"), "![A bar.](list-1)")

    def test_measured_numbers_are_those_of_the_output(self):
        self.assertEqual(self.expand("It took 216 ms of 40 ms."), "It took 216 ms of 40 ms.")
        with self.assertRaisesRegex(tutorial.TutorialError, "215 ms is neither"):
            self.expand("It took 215 ms.")


class ArticleTests(unittest.TestCase):
    ARTICLE = "Text.\n\n```swift\n    a()\n```\n<!-- then\n    hidden()\n-->\n\n    swift run\n    again\n\n```text\nb\n```\n"

    def test_a_translation_takes_its_code_from_the_article(self):
        text = tutorial.with_blocks("page.md", "{{fence 2}}\n\n{{indented 1}}\n", self.ARTICLE)
        self.assertEqual(text, "```text\nb\n```\n\n    swift run\n    again\n")

    def test_what_the_article_does_not_have_is_named(self):
        for mark in ["{{fence 3}}", "{{indented 2}}", "{{code load}}"]:
            with self.assertRaisesRegex(tutorial.TutorialError, "page.md: the article"):
                tutorial.with_blocks("page.md", mark, self.ARTICLE)


class OutputTests(unittest.TestCase):
    def test_times_and_squares_may_differ_and_nothing_else(self):
        other = "frame 1 ·· 18 ms\nframe 2 ■· 90 ms\n\nthe end\n"
        self.assertEqual(tutorial.varying(OUTPUT), tutorial.varying(other))
        self.assertNotEqual(tutorial.varying(OUTPUT), tutorial.varying(other.replace("frame 2", "frame 3")))


class CompilerTests(unittest.TestCase):
    def test_records_cannot_be_changed_off_the_main_thread(self):
        source = tutorial.read("Examples/list-2-background/main.swift")
        wrong = source.replace("Task { @MainActor in pictures[title] = finished }", "pictures[title] = finished")
        self.assertNotEqual(wrong, source)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "main.swift")
            with open(path, "w", encoding="utf-8") as file:
                file.write(wrong)
            built = binary_folder()
            result = subprocess.run(
                ["swiftc", "-typecheck", "-swift-version", "6", "-module-cache-path", os.path.join(built, "ModuleCache"),
                 *compiler_flags(built), path], capture_output=True, text=True, check=False)
        self.assertIn("main actor-isolated var 'pictures' can not be mutated from a nonisolated context", result.stderr)


if __name__ == "__main__":
    unittest.main()
