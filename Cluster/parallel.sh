#!/bin/bash
# Does all tasks of a plan by GNU parallel, here or on the machines that its options name:
#
#     classicphotos plan photos.csv -o /shared/plan --tasks 100
#     Cluster/parallel.sh 100 /shared/plan /shared/pictures --jobs 4 -- --robots --rate 5
#
# The first number is that of the tasks. What stands behind the folders goes to parallel, where --sshloginfile names other machines; what
# stands behind -- goes to classicphotos. Each program takes one processor, unless --jobs is among that. A task that fails is begun
# again, ten times in all; parallel cannot tell that tasks which end with 2 or 3 will not change, so that these too are begun ten times.
# The same command goes on where tasks are left. The log of parallel is OUTPUT.joblog, in the current folder where the output is an
# object store.
set -eu
if [ $# -lt 3 ]; then
    echo "usage: parallel.sh TASKS PLAN OUTPUT [OPTION OF parallel]… [-- OPTION OF develop --plan…]" >&2
    exit 2
fi
tasks=$1 plan=$2 output=$3
shift 3
engine=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    engine+=("$1")
    shift
done
if [ $# -gt 0 ]; then shift; fi
log=${output%/}.joblog
case $output in s3://*) log=$(basename "$log") ;; esac
# Quoted, as folders may have spaces in their names.
exec parallel --quote --retries 10 --joblog "$log" "${engine[@]}" \
    classicphotos develop --plan "$plan" --task '{}' --output "$output" --quiet --jobs 1 "$@" ::: $(seq 0 $((tasks - 1)))
