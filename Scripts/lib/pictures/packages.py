"""Python packages that read pictures, in a folder of their own."""

import importlib.util
import os
import subprocess
import sys

REPOSITORY = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
VENV = os.path.join(REPOSITORY, "build", "pictures")
NEEDED = {"numpy": "numpy", "PIL": "pillow"}
WANTED = {**NEEDED, "pillow_heif": "pillow-heif", "tifffile": "tifffile", "imagecodecs": "imagecodecs"}


def lacks(modules):
    return [module for module in modules if importlib.util.find_spec(module) is None]


def use():
    """Goes on in an interpreter that has them: this one, or one of our own, where they are installed if they can be had.

    Ends the program where not even those without which nothing is compared can be had.
    """
    if not lacks(WANTED):
        return
    python = os.path.join(VENV, "bin", "python")
    if sys.prefix != VENV:
        if not os.path.exists(python):
            subprocess.run([sys.executable, "-m", "venv", VENV], check=False)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *WANTED.values()], check=False)
        if subprocess.run([python, "-c", "import " + ", ".join(NEEDED)], capture_output=True, check=False).returncode == 0:
            os.execv(python, [python, *sys.argv])
    missing = lacks(NEEDED)
    if missing:
        sys.exit(f"check-pictures: there is no way to {', '.join(NEEDED[module] for module in missing)} here")
