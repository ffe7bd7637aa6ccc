"""What a repository shows to those who come: who to cite, where to write, what software centres and hosts are told."""

import datetime
import importlib.machinery
import importlib.util
import os
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml

import yaml

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
loader = importlib.machinery.SourceFileLoader("metainfo", os.path.join(ROOT, "Scripts", "metainfo"))
metainfo = importlib.util.module_from_spec(importlib.util.spec_from_loader("metainfo", loader))
loader.exec_module(metainfo)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


class CitationTests(unittest.TestCase):
    """The rules of the Citation File Format 1.2.0 for what is used of it."""

    TYPES = {
        "cff-version": str, "message": str, "type": str, "title": str, "abstract": str, "authors": list, "license": str,
        "keywords": list, "version": str, "date-released": datetime.date, "repository-code": str}

    def test_the_citation_file_has_the_form_that_others_read(self):
        citation = yaml.safe_load(read("CITATION.cff"))
        self.assertLessEqual({"cff-version", "message", "title", "authors"}, set(citation), "what has to be there")
        for key, value in citation.items():
            self.assertIsInstance(value, self.TYPES[key], key)
        self.assertEqual(citation["cff-version"], "1.2.0")
        self.assertEqual(citation["type"], "software")
        self.assertEqual(citation["authors"], [{"name": "the Classic Photos contributors"}])
        self.assertEqual(len(set(citation["keywords"])), len(citation["keywords"]))
        self.assertRegex(citation.get("repository-code", "https://"), "^https?://")
        self.assertIn("Apache License", read("LICENSE"))
        self.assertEqual(citation["license"], "Apache-2.0")


class MetainfoTests(unittest.TestCase):
    def setUp(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(ROOT)

    def test_software_centres_understand_what_they_are_told(self):
        releases = [("0.2.0", "2026-11-30"), ("0.1.0", "2026-11-01")]
        for arguments in [("", []), ("https://example.org/photos", releases)]:
            with self.subTest(arguments), tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "org.classicphotos.ClassicPhotos.metainfo.xml")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(metainfo.metainfo(*arguments))
                result = subprocess.run(["appstreamcli", "validate", "--no-net", path], capture_output=True, text=True)
                issues = re.findall(r"^[EW]: \S+ (\S+)$", result.stdout, re.MULTILINE)
                # Newer versions warn of it; without an address there is none.
                if arguments[0] or issues != ["url-homepage-missing"]:
                    self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_screenshots_are_pictures_of_the_repository(self):
        component = xml.fromstring(metainfo.metainfo("https://example.org/photos", []))
        images = list(component.iter("image"))
        self.assertGreater(len(images), 3)
        for image in images:
            address, path = image.text.split("/raw/HEAD/")
            self.assertEqual(address, "https://example.org/photos")
            with open(os.path.join(ROOT, path), "rb") as file:
                header = file.read(24)
            size = [int.from_bytes(header[at:at + 4], "big") for at in (16, 20)]
            self.assertEqual(size, [int(image.get("width")), int(image.get("height"))], path)

    def test_without_an_address_there_are_no_screenshots(self):
        self.assertNotIn("screenshot", metainfo.metainfo("", []))

    def test_releases_are_those_of_the_change_log(self):
        component = xml.fromstring(metainfo.metainfo("", [("0.2.0", "2026-11-30")]))
        self.assertEqual([release.attrib for release in component.iter("release")],
                         [{"type": "stable", "version": "0.2.0", "date": "2026-11-30"}])


class RepositoryTests(unittest.TestCase):
    def test_the_workflow_runs_the_same_tests(self):
        workflow = yaml.safe_load(read(".github/workflows/test.yml"))
        commands = [step.get("run") for job in workflow["jobs"].values() for step in job["steps"]]
        self.assertIn("make test", commands)
        # YAML reads the key `on` as true.
        self.assertEqual(set(workflow[True]), {"push", "pull_request"})

    def test_templates_say_what_they_are(self):
        folder = os.path.join(ROOT, ".github/ISSUE_TEMPLATE")
        for name in os.listdir(folder):
            header = yaml.safe_load(read(os.path.join(folder, name)).split("---\n")[1])
            self.assertEqual(set(header), {"name", "about", "labels"}, name)

    def test_links_between_pages_lead_somewhere(self):
        pages = subprocess.run(["git", "ls-files", "*.md", ":!Sources"], cwd=ROOT, check=True, capture_output=True, text=True)
        for page in filter(lambda page: os.path.exists(os.path.join(ROOT, page)), pages.stdout.splitlines()):
            text = re.sub(r"```.*?```|`[^`\n]*`", "", read(page), flags=re.DOTALL)
            for link in re.findall(r"\]\(([^)\s]+)\)", text):
                path, _, anchor = link.partition("#")
                if re.match(r"[a-z]+:", path):
                    continue
                target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
                self.assertTrue(os.path.exists(os.path.join(ROOT, target)), f"{page}: {link}")
                if anchor:
                    headings = re.findall(r"^#+ (.*)$", read(target), re.MULTILINE)
                    self.assertIn(anchor, [self.anchor(heading) for heading in headings], f"{page}: {link}")

    @staticmethod
    def anchor(heading):
        """What a heading is called in addresses: without signs, in small letters, with hyphens for spaces."""
        return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


if __name__ == "__main__":
    unittest.main()
