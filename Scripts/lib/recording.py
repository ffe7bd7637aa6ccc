#!/usr/bin/env python3
"""Makes an animated WebP of copies of a screen (XWD), whose names are the times at which they were taken, in milliseconds. The file
`part` beside them says which part of the screen is shown.

usage: recording.py FOLDER FILE.webp
"""

import os
import subprocess
import sys

MOST_BYTES = 2_000_000
# How long the last picture stays before the recording begins anew.
LAST_MS = 1_500


def shots(folder):
    """The pictures in order: each with its time, and none that is like the one before it. The last may be half written."""
    with open(os.path.join(folder, "part"), encoding="utf-8") as file:
        part = file.read()
    before = None
    for name in sorted(name for name in os.listdir(folder) if name.endswith(".xwd"))[:-1]:
        screen = os.path.join(folder, name)
        picture = screen.removesuffix(".xwd") + ".ppm"
        subprocess.run(["convert", "xwd:" + screen, "-crop", part, "+repage", "-depth", "8", picture], check=True)
        with open(picture, "rb") as file:
            pixels = file.read()
        if pixels != before:
            yield int(name.removesuffix(".xwd")), picture
        before = pixels


def delays(times):
    """How long each picture is shown, in hundredths of a second, without a drift."""
    ends = [*times[1:], times[-1] + LAST_MS]
    marks = [round((time - times[0]) / 10) for time in [times[0], *ends]]
    return [max(1, end - start) for start, end in zip(marks, marks[1:])]


def main():
    if len(sys.argv) != 3:
        print(__doc__[__doc__.index("usage:"):], file=sys.stderr)
        return 2
    folder, output = sys.argv[1:]
    taken = list(shots(folder))
    if not taken:
        print("recording: there are no pictures in", folder, file=sys.stderr)
        return 1
    arguments = []
    for delay, (_, path) in zip(delays([time for time, _ in taken]), taken):
        arguments += ["-delay", str(delay), path]
    # Coarser until it is small enough.
    for quality in (80, 70, 60, 50, 40):
        subprocess.run(["convert", *arguments, "-loop", "0", "-quality", str(quality), "-define", "webp:method=6", output],
                       check=True)
        if os.path.getsize(output) <= MOST_BYTES:
            break
    else:
        print("recording: it is larger than", MOST_BYTES, "bytes", file=sys.stderr)
        return 1
    seconds = sum(delays([time for time, _ in taken])) / 100
    print(f"{output}: {len(taken)} pictures, {seconds:.1f} s, {os.path.getsize(output)} bytes, quality {quality}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
