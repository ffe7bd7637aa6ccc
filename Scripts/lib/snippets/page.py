"""Finds the Swift snippets of a page, and what the page says about them in comments that readers do not see."""

import re
from dataclasses import dataclass, field


class PageError(Exception):
    """A page whose marks cannot be understood; the message begins with file and line."""


@dataclass
class Lines:
    """Lines of a page and the number of the first."""
    first: int
    text: list[str] = field(default_factory=list)


@dataclass
class Snippet:
    path: str
    body: Lines
    # Code that runs in front of it and behind it.
    given: list[Lines] = field(default_factory=list)
    then: list[Lines] = field(default_factory=list)
    # Why it is only compiled, if it is.
    not_run: str | None = None
    # What it prints; nothing if the page shows nothing.
    prints: list[str] = field(default_factory=list)
    in_any_order: bool = False

    @property
    def place(self):
        return f"{self.path}:{self.body.first}"


def read_lines(path):
    """The lines of a page, with their numbers. Of a Swift file only the documentation comments are the page; each line
    that is none ends it, which None stands for."""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if path.endswith(".swift"):
                comment = re.match(r" *///(?: (.*)|)$", line)
                yield number, (comment[1] or "") if comment else None
            else:
                yield number, line


def find_snippets(path, numbered_lines=None):
    """All Swift snippets of a page, in its order. Raises PageError."""
    return _Reader(path).read(read_lines(path) if numbered_lines is None else numbered_lines)


class _Reader:
    def __init__(self, path):
        self.path = path
        self.snippets = []
        self._forget()

    def _forget(self):
        # Marks in front of a snippet that has not come yet: given and not run.
        self.waiting = {}
        self.waiting_line = 0
        # The snippet that this line stands directly under.
        self.above = None

    def _fail(self, line, message):
        raise PageError(f"{self.path}:{line}: {message}")

    def read(self, numbered_lines):
        lines = iter(numbered_lines)
        for number, line in lines:
            if line is None:
                self._end_of_reach()
            elif line == "```swift":
                self._begin_snippet(Lines(number + 1, self._block(lines, number, "```")))
            elif line == "```text" and self.above:
                self._take_output(number, self._block(lines, number, "```"))
            elif line.startswith("```"):
                self._end_of_reach()
                self._block(lines, number, "```")
            elif mark := re.match(r"<!-- *(given|then|prints|not run)\b", line):
                self._take_mark(mark[1], number, line, lines)
            elif line.strip():
                self._end_of_reach()
        self._end_of_reach()
        return self.snippets

    def _block(self, lines, start, end):
        text = []
        for _, line in lines:
            if line == end:
                return text
            if line is None:
                break
            text.append(line)
        self._fail(start, f"this block has no end, which is a line {end}")

    def _end_of_reach(self):
        if self.waiting:
            self._fail(self.waiting_line, "no Swift snippet stands under this mark")
        self._forget()

    def _begin_snippet(self, body):
        snippet = Snippet(
            self.path, body, given=self.waiting.get("given", []), not_run=self.waiting.get("not run"))
        self._forget()
        self.above = snippet
        self.snippets.append(snippet)

    def _take_output(self, number, text):
        if self.above.prints:
            self._fail(number, "what the snippet prints was said before")
        self.above.prints = text

    def _take_mark(self, mark, number, line, lines):
        rest = line.removeprefix("<!--").strip().removeprefix(mark)
        if mark in ("given", "not run") and self.above:
            self._forget()
        if mark in ("then", "prints") and not self.above:
            self._fail(number, f"'{mark}' stands under no Swift snippet")
        if mark == "not run":
            reason = re.fullmatch(r": (\S.*) -->", rest)
            if not reason:
                self._fail(number, "say why: <!-- not run: REASON -->")
            self.waiting[mark] = reason[1]
        elif mark == "prints" and rest == " in any order -->":
            self.above.in_any_order = True
        elif rest:
            self._fail(number, f"this is not understood; what belongs to '{mark}' stands on lines of its own")
        else:
            text = self._block(lines, number, "-->")
            if mark == "prints":
                self._take_output(number, text)
            elif mark == "given":
                self.waiting.setdefault(mark, []).append(Lines(number + 1, text))
            else:
                self.above.then.append(Lines(number + 1, text))
        if mark in ("given", "not run"):
            self.waiting_line = number
