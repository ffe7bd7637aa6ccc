"""The index that search.js looks pages up in: what stands on each page of the documentation, as DocC's data has it."""

import json
import os

# Pages that DocC makes of lists of others.
LISTS = {"collectionGroup"}


def text(node):
    """The words of a part of a page, without its listings of code."""
    if isinstance(node, list):
        return " ".join(filter(None, map(text, node)))
    if not isinstance(node, dict) or node.get("type") == "codeListing":
        return ""
    own = [node[key] for key in ("text", "code") if isinstance(node.get(key), str)]
    return " ".join(filter(None, own + [text(value) for value in node.values() if isinstance(value, (list, dict))]))


def entries(data):
    """For each page in a folder of DocC's data: its path, title, abstract, and, of an article, its text."""
    for folder, _, names in sorted(os.walk(data)):
        for name in sorted(names):
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                page = json.load(file)
            metadata = page.get("metadata", {})
            if "title" not in metadata or metadata.get("role") in LISTS:
                continue
            body = text([section.get("content", []) for section in page.get("primaryContentSections", [])])
            yield [os.path.relpath(path, data).removesuffix(".json") + "/", metadata["title"], text(page.get("abstract", [])),
                   body if metadata.get("role") in ("article", "collection") else ""]


def write(site):
    """Writes the index of a site, as a script: browsers read no other file of a folder on a disk."""
    with open(os.path.join(site, "search-index.js"), "w", encoding="utf-8") as file:
        file.write("searchIndex = ")
        json.dump(list(entries(os.path.join(site, "data"))), file, ensure_ascii=False, separators=(",", ":"))
        file.write("\n")
