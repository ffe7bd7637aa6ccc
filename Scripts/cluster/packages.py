"""Python packages that the check needs, in a folder of their own."""

import os
import subprocess
import sys

from processes import run

REPOSITORY = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
VENV = os.path.join(REPOSITORY, "build", "cluster")


def python():
    """The interpreter that has them, where they are installed."""
    return os.path.join(VENV, "bin", "python")


# What steps need: the modules that are to be there, and the packages that bring them.
NEEDED = {
    "dask": (["distributed"], ["distributed"]),
    "definitions": (["kubernetes_validate", "botocore", "yaml"], ["kubernetes-validate", "botocore", "pyyaml"]),
    "ray": (["ray"], ["ray"]),
    "spark": (["pyspark"], ["pyspark"]),
}


def install(steps):
    """Installs what these steps need into build/cluster, where it is not there."""
    for modules, packages in (NEEDED[step] for step in NEEDED if step in steps):
        imports = [python(), "-c", f"import {', '.join(modules)}"]
        if os.path.exists(python()) and subprocess.run(imports, capture_output=True, check=False).returncode == 0:
            continue
        if not os.path.exists(python()):
            run([sys.executable, "-m", "venv", VENV])
        run([python(), "-m", "pip", "install", "--quiet", *packages])
