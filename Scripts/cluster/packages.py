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


def install():
    """Installs Dask and what knows the schemas of other engines into build/cluster, where they are not there."""
    modules = [python(), "-c", "import distributed, kubernetes_validate, botocore, yaml"]
    if os.path.exists(python()) and subprocess.run(modules, capture_output=True, check=False).returncode == 0:
        return
    run([sys.executable, "-m", "venv", VENV])
    run([python(), "-m", "pip", "install", "--quiet", "distributed", "kubernetes-validate", "botocore", "pyyaml"])
