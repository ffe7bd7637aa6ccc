"""The index of the documentation's search: which pages are in it, and with which words."""

import json
import os
import sys
import tempfile
import unittest

LIB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Scripts", "lib")
sys.path[:0] = [LIB]
import search  # noqa: E402


def page(title, role):
    paragraph = {"type": "paragraph", "inlineContent": [{"type": "text", "text": "It waits for"},
                                                         {"type": "codeVoice", "code": "finish()"}]}
    listing = {"type": "codeListing", "code": ["let secret = 1"]}
    return {"metadata": {"title": title, "role": role}, "abstract": [{"type": "text", "text": "An abstract."}],
            "primaryContentSections": [{"kind": "content", "content": [paragraph, listing]}]}


class IndexTests(unittest.TestCase):
    def test_articles_have_their_text_and_symbols_their_abstract(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, "documentation", "a"))
            for name, content in [("guide", page("Guide", "article")), ("cancel()", page("cancel()", "symbol")),
                                  ("equatable", page("Equatable Implementations", "collectionGroup"))]:
                with open(os.path.join(folder, "documentation", "a", f"{name}.json"), "w", encoding="utf-8") as file:
                    json.dump(content, file)
            self.assertEqual(list(search.entries(folder)), [
                ["documentation/a/cancel()/", "cancel()", "An abstract.", ""],
                ["documentation/a/guide/", "Guide", "An abstract.", "It waits for finish()"]])


if __name__ == "__main__":
    unittest.main()
