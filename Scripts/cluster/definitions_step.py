"""The definitions of jobs for engines that do not run here, against the schemas of these engines."""

import glob
import json
import os
import re
import sys

from packages import REPOSITORY, python
from processes import check, run

AWS = """
import json, sys, yaml, botocore.session, botocore.validate
shape = botocore.session.Session().get_service_model("batch").operation_model("RegisterJobDefinition").input_shape
with open(sys.argv[1]) as file:
    definition = yaml.safe_load(file)
report = botocore.validate.ParamValidator().validate(definition, shape)
print(json.dumps(definition["containerProperties"]["command"]))
sys.exit(report.generate_report() or 0)
"""


def check_definitions(say):
    interpreter = python()
    cluster = os.path.join(REPOSITORY, "Cluster")
    job = os.path.join(cluster, "kubernetes-job.yaml")
    validate = os.path.join(os.path.dirname(interpreter), "kubernetes-validate")
    # Fields of the Job came with 1.29.
    for version in "1.29", "1.33":
        run([validate, "--strict", "-k", version, job])
    command = json.loads(run([interpreter, "-c", AWS, os.path.join(cluster, "aws-batch.yaml")]))
    # AWS Batch puts the command behind the entry point of the image; that of Kubernetes takes its place.
    with open(os.path.join(REPOSITORY, "Containerfile"), encoding="utf-8") as file:
        command = json.loads(re.search("^ENTRYPOINT (.*)", file.read(), re.MULTILINE)[1]) + command
    check(command[:2] == ["classicphotos", "develop"], f"AWS Batch would run {' '.join(command)}")
    scripts = glob.glob(os.path.join(cluster, "*.sh"))
    check(scripts, "there are no scripts")
    for script in scripts:
        run(["bash", "-n", script])
    run([sys.executable, "-m", "py_compile", *glob.glob(os.path.join(cluster, "*.py"))],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPYCACHEPREFIX": os.path.join(REPOSITORY, "build", "cluster", "cache")})
    say("the Job of Kubernetes (1.29 and 1.33) and the definition of AWS Batch are as their schemas say; they were not run")
