"""The definitions of jobs for engines that do not run here, against the schemas of these engines."""

import glob
import os
import sys

from packages import REPOSITORY, python
from processes import check, run

AWS = """
import sys, yaml, botocore.session, botocore.validate
shape = botocore.session.Session().get_service_model("batch").operation_model("RegisterJobDefinition").input_shape
with open(sys.argv[1]) as file:
    report = botocore.validate.ParamValidator().validate(yaml.safe_load(file), shape)
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
    run([interpreter, "-c", AWS, os.path.join(cluster, "aws-batch.yaml")])
    scripts = glob.glob(os.path.join(cluster, "*.sh"))
    check(scripts, "there are no scripts")
    for script in scripts:
        run(["bash", "-n", script])
    run([sys.executable, "-m", "py_compile", *glob.glob(os.path.join(cluster, "*.py"))],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPYCACHEPREFIX": os.path.join(REPOSITORY, "build", "cluster", "cache")})
    say("the Job of Kubernetes (1.29 and 1.33) and the definition of AWS Batch are as their schemas say; they were not run")
