"""What Scripts/docs refuses: public symbols without a comment that says what they are."""

import importlib.machinery
import importlib.util
import json
import os
import tempfile
import unittest

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


if __name__ == "__main__":
    unittest.main()
