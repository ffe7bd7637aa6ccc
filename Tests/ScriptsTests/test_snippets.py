"""What Scripts/check-snippets finds on a page, and what it finds wrong with a run."""

import os
import sys
import tempfile
import unittest

LIB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Scripts", "lib")
sys.path[:0] = [LIB, os.path.join(LIB, "snippets")]
from page import Lines, PageError, Snippet, find_snippets, read_lines  # noqa: E402
from program import source  # noqa: E402
from run import matches, run  # noqa: E402


def find(text, path="page.md"):
    return find_snippets(path, enumerate(text.splitlines(), 1))


class PageTests(unittest.TestCase):
    def test_what_stands_around_a_snippet_belongs_to_it(self):
        page = """
A sentence.

<!-- given
let a = 1
-->
<!-- not run: it has no end -->
```swift
print(a)
```
<!-- then
print(2)
-->

<!-- prints in any order -->
```text
1
2
```

```swift
print(3)
```
"""
        first, second = find(page)
        self.assertEqual(first.place, "page.md:9")
        self.assertEqual(first.body, Lines(9, ["print(a)"]))
        self.assertEqual(first.given, [Lines(5, ["let a = 1"])])
        self.assertEqual(first.then, [Lines(12, ["print(2)"])])
        self.assertEqual((first.not_run, first.prints, first.in_any_order), ("it has no end", ["1", "2"], True))
        self.assertEqual((second.given, second.then, second.not_run, second.prints), ([], [], None, []))

    def test_a_text_block_behind_a_sentence_is_no_output(self):
        (snippet,) = find("```swift\nf()\n```\nThe file:\n```text\n1\n```")
        self.assertEqual(snippet.prints, [])

    def test_output_may_be_hidden(self):
        (snippet,) = find("```swift\nprint(1)\n```\n<!-- prints\n1\n-->")
        self.assertEqual(snippet.prints, ["1"])

    def test_a_block_of_another_language_is_no_snippet(self):
        self.assertEqual(find("```\n```swift\n```\n"), [])

    def test_marks_that_are_not_understood_are_named(self):
        for page, line in [
            ("<!-- given\nlet a = 1\n-->\nA sentence.\n```swift\n```", 1), ("<!-- not run -->\n```swift\n```", 1),
            ("```swift\n```\n\n<!-- prints: 1 -->", 4), ("<!-- then\nf()\n-->", 1), ("\n```swift\nf()", 2),
            ("```swift\n```\n```text\n1\n```\n```text\n1\n```", 6), ("<!-- given\nlet a = 1\n-->", 1),
        ]:
            with self.subTest(page), self.assertRaisesRegex(PageError, f"^page.md:{line}: "):
                find(page)

    def test_a_swift_file_is_a_page_of_its_comments(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "A.swift")
            with open(path, "w", encoding="utf-8") as file:
                file.write("/// A.\n///\n/// ```swift\n/// f()\n///\n///   g()\n/// ```\nstruct A {\n"
                           "    /// ```text\n    /// 1\n    /// ```\n    var a = 1\n}\n")
            (snippet,) = find_snippets(path, read_lines(path))
            self.assertEqual((snippet.body, snippet.prints), (Lines(4, ["f()", "", "  g()"]), []))


class ProgramTests(unittest.TestCase):
    def test_imports_are_lifted_and_lines_keep_their_numbers(self):
        snippet = Snippet("page.md", Lines(7, ["import A", "", "try await f(\"https://example.org/a\")"]))
        text, is_asynchronous = source(3, snippet, "http://127.0.0.1:1/")
        self.assertTrue(is_asynchronous)
        self.assertEqual(text.splitlines(), [
            "import A", "@MainActor func snippet3() async throws {", '#sourceLocation(file: "page.md", line: 7)', "", "",
            'try await f("http://127.0.0.1:1/a")', "}"])


class RunTests(unittest.TestCase):
    def run_program(self, script, prints=(), **options):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program")
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\n{script}\n")
            os.chmod(path, 0o755)
            samples = os.path.join(folder, "samples")
            os.mkdir(samples)
            return run(path, 3, Snippet("page.md", Lines(7), prints=list(prints)), samples, **options)

    def test_what_prints_what_the_page_says_is_well(self):
        self.assertIsNone(self.run_program("echo snippet $1", ["snippet 3"]))

    def test_a_hang_names_its_place_and_what_was_printed(self):
        # It has a child that would go on, and holds on to the output.
        problem = self.run_program("echo before; sleep 600 & sleep 600", limit=0.5)
        self.assertIn("page.md:7: hangs", problem)
        self.assertIn("before", problem)

    def test_a_crash_and_an_error_name_their_place(self):
        self.assertIn("page.md:7: was ended by SIGILL", self.run_program("kill -ILL $$"))
        problem = self.run_program("echo why >&2; exit 3")
        self.assertIn("page.md:7: ended with status 3", problem)
        self.assertIn("why", problem)

    def test_other_lines_than_the_page_says_are_shown(self):
        problem = self.run_program("echo 2", ["1"])
        self.assertIn("page.md:7: prints something else", problem)
        self.assertIn("-1\n    +2", problem)
        self.assertIn("page.md:7: prints something else", self.run_program("echo 2"))
        self.assertIn("page.md:7: prints something else", self.run_program("true", ["1"]))

    def test_each_has_a_folder_of_its_own(self):
        self.assertIsNone(self.run_program("test -z \"$(ls)\" && echo a >a && test \"$HOME\" != \"$PWD\""))

    def test_what_matches(self):
        for said, printed, expected in [
            (["a", "b"], ["a", "b"], True), (["b", "a"], ["a", "b"], False), ([], [], True), (["a."], ["ab"], False),
            (["in … s"], ["in 1.5 s"], True), (["…", "b"], ["a", "a", "b"], True), (["…", "b"], ["b"], True),
            (["a", "…"], ["b"], False), (["…"], [], True), (["a"], ["a", ""], False),
        ]:
            with self.subTest(said=said, printed=printed):
                self.assertEqual(matches(said, printed), expected)


if __name__ == "__main__":
    unittest.main()
