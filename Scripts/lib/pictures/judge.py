"""What ours and others make of one file."""

import os
import resource
import subprocess
import tempfile

import numpy as np
from PIL import Image

import compare
import references

READERS, MISSING = references.available()
# What one of the others may take.
MEMORY = 6 << 30
REASONS = [
    ("damaged", ("The picture is damaged", "The file is empty")),
    ("unsupported", ("Pictures of this kind are not supported", "This is not a picture", "It is a ")),
    ("limit", ("too large", "more than", "memory", "took too long", "frames")),
]


def missing():
    """The names of programs that are not here."""
    return MISSING


def judged(path, program):
    """What was found of a file: its path, a verdict, and why."""
    ours, reason = by_ours(path, program)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    theirs, faults = {}, []
    for name, read in READERS.items():
        try:
            picture = read(path)
            if picture is not None:
                theirs[name] = picture
        except Exception as error:  # Whatever it is, this one does not read it.
            faults.append(f"{name}: {str(error)[:80] or type(error).__name__}")
    finding = {"path": path, "verdict": "", "why": "", "read_by": sorted(theirs), "not_by": faults}
    finding["verdict"], finding["why"] = verdict(ours, reason, theirs, faults)
    return finding


def verdict(ours, reason, theirs, faults):
    if ours is None:
        if not theirs:
            return ("nothing" if "This is not a picture" in reason else "refused"), reason
        words = [word for word, phrases in REASONS if any(phrase in reason for phrase in phrases)]
        return (words[0] if words else "failed"), f"{reason} ({', '.join(theirs)} reads it)"
    if not theirs:
        return "alone", "; ".join(faults) or "nobody else was asked"
    found = sorted((compare.difference(ours, other)[::-1] + (name,) for name, other in theirs.items()))
    if any(not word for _, word, _ in found):
        return "same", "as " + ", ".join(name for _, word, name in found if not word)
    amount, word, name = found[0]
    sizes = f", {ours.shape[1]} x {ours.shape[0]}" if word in ("size", "orientation") else f", by {amount:.1f}"
    return word, f"not as {name}" + sizes


def by_ours(path, program):
    """What our program makes of a file, or None and what it says."""
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "made.png")
        # An absolute path begins with no hyphen. A filter that changes nothing.
        command = [program, "filter", os.path.abspath(path), made, "--filter", "brightness(1)"]
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, errors="replace")
        except subprocess.TimeoutExpired:
            return None, "ours took more than 60 s"
        if run.returncode == 0:
            with Image.open(made) as image:
                return np.asarray(image.convert("RGBA")), ""
        words = run.stderr.strip().removeprefix("classicphotos: ").removeprefix(os.path.abspath(path) + ": ")
        return None, words.splitlines()[0] if words else f"ours ended with status {run.returncode}"
