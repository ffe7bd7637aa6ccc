"""The pages of the tutorial, whose code and output are those of its programs.

A chapter is docs/tutorial/LANGUAGE/NAME.md, and its program is Examples/list-NAME. Two marks, each on a line of its own,
stand for what the build puts there:

    {{code PART}}     the lines of main.swift from `// MARK: PART` to the next such line
    {{output N}}      the Nth paragraph of output.txt; without a number all of it

Other pages of a language, such as docs/tutorial/vi/coming-from-foundation.md, translate an article and take its code:

    {{fence N}}       the Nth block between lines of three backticks in the English article
    {{indented N}}    the Nth indented block
"""

import os
import re

FOLDER = "docs/tutorial"
TIMELINES = f"{FOLDER}/timelines"
# The name of each language's archive, and of what it has in the address of its pages.
LANGUAGES = {"en": "PhotoList", "vi": "PhotoList-vi", "ko": "PhotoList-ko"}


class TutorialError(Exception):
    """A page that cannot be made; the message begins with its path."""


def chapters():
    """The names of the chapters, in order."""
    names = [name.removesuffix(".md") for name in os.listdir(f"{FOLDER}/en") if re.match(r"\d+-", name)]
    return sorted(names, key=lambda name: int(name.partition("-")[0]))


def languages():
    """The languages that have pages."""
    return [language for language in LANGUAGES if os.path.isdir(f"{FOLDER}/{language}")]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def parts(source):
    """The parts of a program by name."""
    pieces = re.split(r"^// MARK: (.+)\n", source, flags=re.MULTILINE)
    return {name: text.strip("\n") for name, text in zip(pieces[1::2], pieces[2::2])}


def expand(path, text, source, output, shared=""):
    """A page with its program's code and output in it; `shared` is what programs share. Raises TutorialError."""
    known, paragraphs = parts(source), output.strip("\n").split("\n\n")

    def replacement(match):
        kind, _, which = match[1].partition(" ")
        if kind == "code" and which in known:
            return f"```swift\n{known[which]}\n```"
        if kind == "output" and not which:
            return "```text\n" + output.strip("\n") + "\n```"
        if kind == "output" and which.isdigit() and 0 < int(which) <= len(paragraphs):
            return f"```text\n{paragraphs[int(which) - 1]}\n```"
        raise TutorialError(f"{path}: its program has no {match[1]}")

    # What was measured is quoted from the output, so that it cannot be another run's.
    numbers = set(re.findall(r"\d+(?= ms)", output)) | set(re.findall(r"\d+", source + shared))
    for number in re.findall(r"(\d+) ms", text):
        if number not in numbers:
            raise TutorialError(f"{path}: {number} ms is neither in the program nor in its output")
    return with_links(re.sub(r"^\{\{(.+)\}\}$", replacement, text, flags=re.MULTILINE))


def with_links(text):
    """A page whose links to chapters and timelines lead to where DocC has them, and not to the files of the repository."""
    text = re.sub(r"\[[^\]]*\]\(([\w-]+)\.md\)", r"<doc:\1>", text)
    return re.sub(r"\]\(\.\./timelines/([\w-]+)\.svg\)", r"](\1)", text)


def page(language, name):
    """A chapter as DocC takes it."""
    path, program = f"{FOLDER}/{language}/{name}.md", f"Examples/list-{name}"
    shared = "".join(read(f"Examples/list-parts/{part}.swift") for part in ("PhotoServer", "Screen"))
    return expand(path, without_mark(read(path)), read(f"{program}/main.swift"), read(f"{program}/output.txt"), shared)


def others(language):
    """The names of the pages of a language that are no chapters."""
    names = {name.removesuffix(".md") for name in os.listdir(f"{FOLDER}/{language}") if name.endswith(".md")}
    return sorted(names - set(chapters()) - {"index"})


def other_page(language, name):
    """A translated article as DocC takes it. Raises TutorialError."""
    path = f"{FOLDER}/{language}/{name}.md"
    text = read(path)
    return with_blocks(path, without_mark(text), read(re.match(r"<!-- translates (\S+)", text)[1]))


def with_blocks(path, text, article):
    """A page with the code of an article in it. Raises TutorialError."""
    blocks = {
        "fence": re.findall(r"^```.*?^```$", article, re.DOTALL | re.MULTILINE),
        "indented": [block.rstrip() for block in re.findall(r"(?:^    .*\n)+", outside_fences(article), re.MULTILINE)]}

    def replacement(match):
        kind, _, which = match[1].partition(" ")
        if which.isdigit() and 0 < int(which) <= len(blocks.get(kind, [])):
            return blocks[kind][int(which) - 1]
        raise TutorialError(f"{path}: the article that it translates has no {match[1]}")

    return with_links(re.sub(r"^\{\{(.+)\}\}$", replacement, text, flags=re.MULTILINE))


def outside_fences(text):
    """A page without its blocks between backticks, and without comments."""
    return re.sub(r"^```.*?^```$|<!--.*?-->", "", text, flags=re.DOTALL | re.MULTILINE)


def without_mark(text):
    """A translation without the line that says what it translates."""
    return re.sub(r"\A<!-- translates .* -->\n", "", text)


def write_catalog(language, folder):
    """Makes the DocC catalog of a language in `folder`."""
    os.makedirs(os.path.join(folder, "Resources"))
    for name in os.listdir(TIMELINES):
        with open(os.path.join(folder, "Resources", name), "w", encoding="utf-8") as file:
            file.write(read(f"{TIMELINES}/{name}"))
    pages = {name: page(language, name) for name in chapters() if os.path.exists(f"{FOLDER}/{language}/{name}.md")}
    pages |= {name: other_page(language, name) for name in others(language)}
    pages[LANGUAGES[language]] = with_links(without_mark(read(f"{FOLDER}/{language}/index.md")))
    for name, text in pages.items():
        with open(os.path.join(folder, f"{name}.md"), "w", encoding="utf-8") as file:
            file.write(text)


def varying(output):
    """An output without what differs from run to run: numbers of milliseconds, and which squares are full."""
    return re.sub(r"[■·]", "?", re.sub(r"\d+ ms", "… ms", output))
