"""What Scripts/docs refuses: public symbols without a comment that says what they are."""

import importlib.machinery
import importlib.util
import json
import os
import re
import tempfile
import unittest
import unittest.mock

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Scripts", "docs")
loader = importlib.machinery.SourceFileLoader("docs", PATH)
docs = importlib.util.module_from_spec(importlib.util.spec_from_loader("docs", loader))
loader.exec_module(docs)


def symbol(name, comment=None, precise="s:1A", kind="swift.method"):
    symbol = {
        "identifier": {"precise": precise}, "kind": {"identifier": kind}, "pathComponents": ["A", name],
        "location": {"uri": f"file://{os.getcwd()}/Sources/A/A.swift", "position": {"line": 6, "character": 4}}}
    if comment is not None:
        symbol["docComment"] = {"lines": [{"text": line} for line in comment]}
    return symbol


class TemplateTests(unittest.TestCase):
    def test_what_docc_copies_belongs_to_whoever_runs_it(self):
        with tempfile.TemporaryDirectory() as folder:
            theirs = os.path.join(folder, "theirs")
            os.makedirs(os.path.join(theirs, "css"))
            with open(os.path.join(theirs, "css", "page.css"), "w", encoding="utf-8"):
                pass
            if os.geteuid() == 0:
                for path in [theirs, os.path.join(theirs, "css"), os.path.join(theirs, "css", "page.css")]:
                    os.chown(path, 65534, 65534)
            with unittest.mock.patch.dict(os.environ, {"DOCC_HTML_DIR": theirs}):
                docs.own_template(folder)
                copy = os.environ["DOCC_HTML_DIR"]
            for path in [copy, os.path.join(copy, "css"), os.path.join(copy, "css", "page.css")]:
                self.assertEqual(os.stat(path).st_uid, os.geteuid())


class CommentTests(unittest.TestCase):
    def undocumented(self, *symbols):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "A.symbols.json"), "w", encoding="utf-8") as file:
                json.dump({"symbols": symbols}, file)
            return docs.undocumented(folder)

    def test_a_symbol_without_a_comment_is_named_with_its_place(self):
        (problem,) = self.undocumented(symbol("f()"))
        self.assertTrue(problem.startswith("Sources/A/A.swift:7: 'A.f()' "), problem)

    def test_a_comment_begins_with_a_sentence(self):
        self.assertEqual(self.undocumented(symbol("f()", ["", "Does it."])), [])
        self.assertEqual(len(self.undocumented(symbol("f()", ["- Parameters:", "  - a: A."]))), 1)
        self.assertEqual(len(self.undocumented(symbol("f()", [""]))), 1)

    def test_what_others_declare_needs_none(self):
        self.assertEqual(self.undocumented(symbol("f()", precise="s:1A::SYNTHESIZED::s:1B")), [])
        self.assertEqual(self.undocumented(symbol("A", kind="swift.extension")), [])


class StyleTests(unittest.TestCase):
    LIB = os.path.join(os.path.dirname(PATH), "lib")

    def read(self, name):
        with open(os.path.join(self.LIB, name), encoding="utf-8") as file:
            return file.read()

    def test_pages_share_one_style(self):
        names = [name for name in os.listdir(self.LIB) if name.endswith(".html")]
        self.assertIn("gallery.html", names)
        shared = set(self.read("docs.css").splitlines())
        for name in names:
            page = self.read(name)
            folder = "" if name == "docs-root.html" else "../"
            self.assertIn(f'<link rel="stylesheet" href="{folder}docs.css">', page, name)
            self.assertIn('<meta name="color-scheme" content="light dark">', page, name)
            rules = [rule for style in re.findall(r"<style>\n(.*?)</style>", page, re.DOTALL) for rule in style.splitlines()]
            self.assertFalse(shared & set(rules), f"{name} repeats a rule of docs.css")
            shared |= set(rules)


class SiteTests(unittest.TestCase):
    def test_references_to_what_is_not_there_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            former, docs.SITE = docs.SITE, folder
            self.addCleanup(setattr, docs, "SITE", former)
            for path in ["data", "documentation/a"]:
                os.makedirs(os.path.join(folder, path))
            open(os.path.join(folder, "documentation/a/index.html"), "w").close()
            references = [
                {"url": "/documentation/a#Overview"}, {"url": "/documentation/b"}, {"url": "https://example.org/"},
                {"variants": [{"url": "/images/c.svg"}]}, {"text": "d"}]
            with open(os.path.join(folder, "data/a.json"), "w", encoding="utf-8") as file:
                json.dump({"references": dict(enumerate(references))}, file)
            self.assertEqual(docs.dead_links(""), ["/documentation/b/index.html", "/images/c.svg"])

    def test_a_site_is_whole_at_its_path_only(self):
        with tempfile.TemporaryDirectory() as folder:
            former, docs.SITE = docs.SITE, folder
            self.addCleanup(setattr, docs, "SITE", former)
            os.makedirs(os.path.join(folder, "documentation/a"))
            os.makedirs(os.path.join(folder, "js"))
            open(os.path.join(folder, "js/a.js"), "w").close()
            for path, text in [
                ("index.html", '<a href="documentation/a/">a</a> <a href="documentation/b/">b</a> <a href="https://example.org">'),
                ("documentation/a/index.html", '<script src="/photos/js/a.js"></script><a href="../../#top"> <a href="/js/a.js">'),
            ]:
                with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
                    file.write(text)
            self.assertEqual(docs.dead_links("/photos"), ["/js/a.js", "documentation/b/"])
            self.assertEqual(docs.dead_links(""), ["/photos/js/a.js", "documentation/b/"])

    def test_the_path_of_the_site_has_one_form(self):
        for given, expected in [("", ""), ("/", ""), ("photos", "/photos"), ("/photos/docs/", "/photos/docs")]:
            with unittest.mock.patch.dict(os.environ, {"DOCS_BASE_PATH": given}):
                self.assertEqual(docs.base_path(), expected)


if __name__ == "__main__":
    unittest.main()
