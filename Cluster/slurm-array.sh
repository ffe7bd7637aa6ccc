#!/bin/bash
# Does all tasks of a plan as a Slurm job array:
#
#     classicphotos plan photos.csv -o /shared/plan --tasks 100
#     sbatch --array=0-99 Cluster/slurm-array.sh /shared/plan /shared/pictures --robots --rate 5
#
# Slurm limits the numbers of an array (MaxArraySize, 1001 by default, allows 0 to 1000). Of a plan with more tasks, submit some at a time:
#
#     FIRST_TASK=1000 sbatch --array=0-999 Cluster/slurm-array.sh /shared/plan …
#
# Where tasks are left, submit these, or the whole array again, as tasks that are done end at once:
#
#     sbatch --array=$(classicphotos status --tasks-of /shared/plan /shared/pictures) Cluster/slurm-array.sh /shared/plan …
#
# Of a plan that was submitted in parts, submit the parts again in which tasks are left.
#SBATCH --job-name=classicphotos
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --cpus-per-task=2
# SIGTERM a minute before the time is over, so that the shard at hand is given up in order.
#SBATCH --signal=B:TERM@60
set -u
if [ $# -lt 2 ]; then
    echo "usage: sbatch --array=0-LAST slurm-array.sh PLAN OUTPUT [OPTION OF develop --plan]…" >&2
    exit 2
fi
plan=$1 output=$2
shift 2

task=auto
if [ -n "${FIRST_TASK:-}" ]; then task=$((FIRST_TASK + SLURM_ARRAY_TASK_ID)); fi
classicphotos develop --plan "$plan" --task "$task" --output "$output" --jobs "${SLURM_CPUS_PER_TASK:-2}" --quiet "$@" &
worker=$!
# The shell gets the signal, and the program is to end in order.
trap 'kill -TERM "$worker" 2>/dev/null' TERM
wait "$worker"
status=$?
# A signal ends the first wait; the second one has the program's own status.
while kill -0 "$worker" 2>/dev/null; do
    wait "$worker"
    status=$?
done
# Slurm puts jobs of nodes that are lost into the queue again, and not those whose program has failed. 75 means try again, and so does
# a program that was killed; 2 and 3 will not change.
if { [ "$status" -eq 75 ] || [ "$status" -gt 128 ]; } && [ "${SLURM_RESTART_COUNT:-0}" -lt 10 ]; then
    task=${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}
    # scancel ends the program too, and Slurm would put the task into the queue again; but it does not call it running any more.
    if [ "$(squeue --noheader --states=all --jobs="$task" --format=%T)" = RUNNING ]; then scontrol requeue "$task"; fi
fi
exit "$status"
