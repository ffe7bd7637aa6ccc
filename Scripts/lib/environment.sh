# shellcheck shell=bash
# For scripts that run programs with windows: sourced, not run.

# The folder of this file, also for who has changed to another one since.
environment_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# in_test_environment FOLDER COMMAND...: runs a command in the environment that environment.txt describes.
in_test_environment() { # folder for what the programs keep, command
    local folder=$1 line options=()
    shift
    while read -r line; do
        case $line in
        '' | '#'*) ;;
        *=FOLDER/*)
            mkdir -p "$folder/${line#*=FOLDER/}"
            options+=("${line/=FOLDER/=$folder}")
            ;;
        *=*) options+=("$line") ;;
        *) options=(-u "$line" "${options[@]}") ;;
        esac
    done <"$environment_folder/environment.txt"
    chmod 700 "$folder/run"
    env "${options[@]}" "$@"
}
