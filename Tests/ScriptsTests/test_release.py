"""What Scripts/release refuses, what it writes, and what it says is left to do."""

import contextlib
import importlib.machinery
import importlib.util
import io
import os
import subprocess
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
loader = importlib.machinery.SourceFileLoader("release", os.path.join(ROOT, "Scripts", "release"))
release = importlib.util.module_from_spec(importlib.util.spec_from_loader("release", loader))
loader.exec_module(release)

FILES = {
    "Sources/PhotoPipeline/PhotoPipeline+Version.swift": 'public static let version = "0.2.0-dev"\n',
    "CHANGELOG.md": "# Changelog\n\n## 0.2.0-dev, not released yet\n\n- It is new.\n\n## 0.1.0, 2026-11-01\n\n- It is there.\n",
    "CITATION.cff": "title: ClassicPhotos\nversion: 0.2.0-dev\n",
    "README.md": '    .package(url: "ADDRESS OF THIS REPOSITORY", from: "0.1.0")\n',
    "project.conf": "# What is said.\nREPOSITORY=\nCONTACT=\n",
}


class ReleaseTests(unittest.TestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.enterContext(contextlib.chdir(folder))
        for path, text in FILES.items():
            self.write(path, text)
        for command in [["init", "-q", "-b", "main"], ["config", "user.name", "A"], ["config", "user.email", "a@example.org"]]:
            release.git(*command)
        self.commit()

    def write(self, path, text):
        if os.path.dirname(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
        release.write(path, text)

    def read(self, path):
        return release.project.read(path)

    def change(self, path, old, new):
        text = self.read(path)
        self.assertIn(old, text)
        self.write(path, text.replace(old, new))

    def commit(self):
        release.git("add", "-A")
        release.git("commit", "-q", "-m", "A change")

    def dry_run(self):
        """The exit status of a dry run, and what it prints."""
        text = io.StringIO()
        with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
            status = release.dry_run()
        return status, text.getvalue()

    def test_a_development_version_says_what_is_left_and_what_is_pushed(self):
        self.write("a-file", "")
        status, text = self.dry_run()
        self.assertEqual(status, 0, text)
        for part in ["--set 0.2.0,", "REPOSITORY", "CONTACT", "commit what is not committed: 1 files", "git push origin main v0.2.0"]:
            self.assertIn(part, text)

    def test_files_that_contradict_each_other_are_named(self):
        for path, old, new, expected in [
            ("CHANGELOG.md", "0.2.0-dev, not", "0.3.0-dev, not", "the first section is not of 0.2.0-dev"),
            ("CHANGELOG.md", "0.2.0-dev, not released yet", "0.2.0-dev, 2026-11-02", "0.2.0-dev is `2026-11-02`"),
            ("CHANGELOG.md", "0.1.0, 2026-11-01", "0.1.0, 1 November", "is not of the form"),
            ("CHANGELOG.md", "0.1.0, 2026-11-01", "0.9.0, 2026-11-01", "does not stand first"),
            ("CHANGELOG.md", "0.1.0, 2026-11-01", "0.1.0-dev, not released yet", "only the first section"),
            ("CHANGELOG.md", "## 0.1.0, 2026-11-01", "## Older ones", "not of the form `## VERSION, DATE`"),
            ("CITATION.cff", "version: 0.2.0-dev", "version: 0.1.0", "CITATION.cff: version, date or address differ"),
            ("README.md", "0.1.0", "0.0.9", "README.md: version, date or address differ"),
            ("README.md", ".package(url", ".packages(url", "no line says how to depend"),
            ("project.conf", "REPOSITORY=", "REPOSITORY=https://example.org/a", "README.md: version, date or address differ"),
            ("Sources/PhotoPipeline/PhotoPipeline+Version.swift", "0.2.0-dev", "0.2", "is no version"),
        ]:
            with self.subTest(f"{path}: {new}"):
                self.change(path, old, new)
                status, text = self.dry_run()
                self.assertEqual(status, 1, text)
                self.assertIn(expected, text)
                self.write(path, FILES[path])

    def test_a_version_is_set_everywhere(self):
        self.change("project.conf", "REPOSITORY=", "REPOSITORY=https://example.org/a")
        self.change("project.conf", "CONTACT=", "CONTACT=a@example.org")
        self.assertEqual(release.set_version("0.2.0"), 0)
        self.assertIn('version = "0.2.0"', self.read("Sources/PhotoPipeline/PhotoPipeline+Version.swift"))
        self.assertRegex(self.read("CHANGELOG.md"), r"\n## 0\.2\.0, \d{4}-\d\d-\d\d\n\n- It is new")
        self.assertIn('.package(url: "https://example.org/a", from: "0.2.0")', self.read("README.md"))
        self.assertRegex(self.read("CITATION.cff"), r"version: 0\.2\.0\ndate-released: .*\nrepository-code: https://example.org/a\n$")
        self.commit()
        self.assertEqual(self.dry_run()[1].splitlines()[0], "release: 0.2.0 is ready. To push:")

        release.git("tag", "v0.2.0")
        self.assertEqual(self.dry_run()[0], 0, "the tag is of this commit")
        self.write("a-file", "")
        self.commit()
        self.assertIn("the tag v0.2.0 is of another commit", self.dry_run()[1])

        self.assertEqual(release.set_version("0.3.0-dev"), 0)
        self.assertIn("## 0.3.0-dev, not released yet\n\n## 0.2.0, ", self.read("CHANGELOG.md"))
        self.assertIn('from: "0.2.0"', self.read("README.md"))
        self.assertNotIn("date-released", self.read("CITATION.cff"))
        status, text = self.dry_run()
        self.assertEqual(status, 0, text)
        self.assertIn("say in CHANGELOG.md what has changed", text)

    def test_what_is_no_version_is_refused(self):
        for version in ["1", "0.2.0-beta", "v0.2.0", "0.02.0"]:
            with contextlib.redirect_stderr(io.StringIO()):
                self.assertEqual(release.set_version(version), 2, version)
        self.assertEqual(release.git("status", "--porcelain"), "")

    def test_no_release_is_made_before_all_is_done(self):
        with contextlib.redirect_stderr(io.StringIO()) as text:
            self.assertEqual(release.release(), 1)
        self.assertIn("not yet", text.getvalue())


if __name__ == "__main__":
    unittest.main()
