"""Runs snippets, each in a process and a folder of its own, and compares what they print with what their page says."""

import difflib
import os
import re
import shutil
import signal
import subprocess
import tempfile

# A snippet takes some milliseconds; a busy machine has a thousand times that.
LIMIT = 60


def run(program, number, snippet, samples, limit=LIMIT):
    """Runs a snippet. Returns None if all is well, otherwise what is wrong, beginning with the page and the line."""
    with tempfile.TemporaryDirectory(prefix="snippet-") as folder:
        work = os.path.join(folder, "work")
        shutil.copytree(samples, work)
        environment = {
            "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TMPDIR": folder, "HOME": folder, "SWIFT_BACKTRACE": "enable=no"}
        with open(os.path.join(folder, "printed"), "w+b") as printed, open(
                os.path.join(folder, "errors"), "w+b") as errors:
            # In a session of its own, so that what it starts ends with it.
            process = subprocess.Popen(
                [program, str(number)], cwd=work, env=environment, stdin=subprocess.DEVNULL, stdout=printed,
                stderr=errors, start_new_session=True)
            try:
                status = process.wait(limit)
            except subprocess.TimeoutExpired:
                status = None
            finally:
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                process.wait()
            return problem(snippet, status, _lines(printed), _lines(errors), limit)


def problem(snippet, status, printed, errors, limit):
    """What is wrong with a run: `status` is None where it was ended at the limit."""
    if status is None:
        return _report(f"{snippet.place}: hangs; it was ended after {limit} s", "it had printed:", printed)
    if status != 0:
        how = f"was ended by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
        return _report(f"{snippet.place}: {how}", "it said:", errors[-12:] or printed[-12:])
    said = sorted(snippet.prints) if snippet.in_any_order else snippet.prints
    printed = sorted(printed) if snippet.in_any_order else printed
    if not matches(said, printed):
        difference = list(difflib.unified_diff(said, printed, "the page", "the snippet", lineterm="", n=3))[:40]
        return _report(f"{snippet.place}: prints something else than the page says", "", difference)
    return None


def matches(said, printed):
    """Whether lines were printed that the page says. There `…` stands for any text within a line, and a line of nothing
    else for any number of lines."""
    pattern = ""
    for line in said:
        if line.strip() == "…":
            pattern += r"(?:.*\n)*"
        else:
            pattern += ".*".join(re.escape(part) for part in line.rstrip().split("…")) + r"\n"
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


def _lines(file):
    file.seek(0)
    return [line.rstrip() for line in file.read().decode("utf-8", "replace").splitlines()]


def _report(head, title, lines):
    return "\n    ".join([head, *([title] if title and lines else []), *lines])
