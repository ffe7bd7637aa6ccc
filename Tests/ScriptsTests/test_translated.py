"""What Scripts/translated names: the headings that have changed since, and words against the list of terms."""

import importlib.machinery
import importlib.util
import os
import subprocess
import tempfile
import unittest

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Scripts", "translated")
loader = importlib.machinery.SourceFileLoader("translated", PATH)
translated = importlib.util.module_from_spec(importlib.util.spec_from_loader("translated", loader))
loader.exec_module(translated)

ENGLISH = "# Photos\n\nA queue.\n\n## Install\n\nRun make.\n\n## Read on\n\nMore.\n"


class SectionTests(unittest.TestCase):
    def test_changed_new_and_removed_headings_are_named(self):
        self.assertEqual(translated.changed(ENGLISH, ENGLISH), [])
        self.assertEqual(translated.changed(ENGLISH, ENGLISH.replace("make", "make run")), ["Install"])
        self.assertEqual(translated.changed(ENGLISH, ENGLISH.replace("A queue", "Queues")), ["the beginning"])
        self.assertEqual(translated.changed(ENGLISH, ENGLISH.replace("Read on", "More")), ["More", "Read on"])


class TermTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder.name)
        os.makedirs("docs/terms")
        with open("docs/terms/vi.tsv", "w", encoding="utf-8") as file:
            file.write("queue\tqueue\thàng đợi,dãy\nphoto\tảnh\n")

    def errors(self, english, text):
        return list(translated.against_terms(english, text, "vi"))

    def test_a_term_has_to_be_there_where_the_english_page_has_it(self):
        self.assertEqual(self.errors("A queue of photos.", "Queue của ảnh."), [])
        self.assertEqual(self.errors("A photo.", "Queue."), ["the English page has “photo”, and this one has no “ảnh”"])
        self.assertEqual(self.errors("Use `queue`.", "Dùng `queue`."), [])

    def test_code_is_left_out_and_nothing_behind_it(self):
        page = "Start.\n\n    a queue\n\nMiddle `queue` ``Queue/cancel()``.\n\n```text\nqueue\n```\n\n<p>End [here](queue.md)</p>\n"
        self.assertEqual(translated.prose(page).split(), ["start.", "middle", ".", "end", "[here"])

    def test_another_word_for_a_term_is_named(self):
        self.assertEqual(self.errors("Text.", "Một hàng đợi."), ["it has “hàng đợi” for “queue”, which is “queue”"])

    def test_a_translation_can_be_marked_and_falls_behind(self):
        def write(path, text):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)

        subprocess.run(["git", "init", "-q"], check=True)
        write("README.md", ENGLISH)
        write("README.vi.md", "<!-- translates README.md " + 40 * "0" + " -->\n# Ảnh\n")
        translated.mark(["README.vi.md"])
        [(path, english, version)] = translated.translations()
        self.assertEqual((path, english), ("README.vi.md", "README.md"))
        self.assertEqual(version, translated.git("hash-object", "README.md").strip())
        write("README.md", ENGLISH + "New.\n")
        self.assertNotEqual(version, translated.git("hash-object", "README.md").strip())


if __name__ == "__main__":
    unittest.main()
