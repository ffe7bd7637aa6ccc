#!/usr/bin/env python3
"""Does all tasks of a plan on a Spark cluster, or on this machine where none is named:

    classicphotos plan photos.csv -o /shared/plan --tasks 100
    spark-submit --master spark://HOST:7077 Cluster/spark_driver.py /shared/plan /shared/pictures --robots

What stands behind the folders goes to classicphotos. Spark begins tasks again whose executor is lost (spark.task.maxFailures). Tasks that end
with 75, or whose program is killed, are begun again when all others have ended, ten times in all; those that end with another status are not.
The exit status is the first one of a task that is not 0. The same command goes on where tasks are left.
"""

import subprocess
import sys

from pyspark.sql import SparkSession

from tasks import begins_again, command, tasks_left


def work(task, arguments):
    return task, subprocess.run(arguments, stdin=subprocess.DEVNULL, check=False).returncode


def main(plan, output, *options):
    left, failed = tasks_left(plan, output), {}
    if not left:
        return 0
    context = SparkSession.builder.appName("classicphotos").getOrCreate().sparkContext
    for attempt in range(10):
        if not left:
            break
        commands = [(task, command(task, plan, output, options)) for task in left]
        statuses = context.parallelize(commands, len(left)).map(lambda pair: work(*pair)).collect()
        failed.update((task, status if status > 0 else 75) for task, status in statuses if status != 0)
        left = [task for task, status in statuses if begins_again(status)]
        if attempt < 9:
            for task in left:
                del failed[task]
    for task, status in sorted(failed.items()):
        print(f"task {task}: exit status {status}", file=sys.stderr)
    return next(iter(failed.values()), 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
