#!/bin/sh
# Does all tasks of a plan by GNU parallel, here or on the machines that its options name:
#
#     classicphotos plan photos.csv -o /shared/plan --tasks 100
#     Cluster/parallel.sh 100 /shared/plan /shared/pictures --jobs 4
#
# The first number is that of the tasks. What stands behind the folders goes to parallel; --sshloginfile names other machines.
set -eu
tasks=$1 plan=$2 output=$3
shift 3
exec parallel --retries 10 --joblog "$output.joblog" "$@" \
    classicphotos develop --plan "$plan" --task '{}' --output "$output" --quiet ::: $(seq 0 $((tasks - 1)))
