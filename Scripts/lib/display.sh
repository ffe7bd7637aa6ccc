# shellcheck shell=bash
# For scripts that need a screen: sourced, not run.

# The process ids of those that run.
display_pids=()

# start_display [OPTION...]: an X server in memory, for programs with windows, with more options of Xvfb. Sets DISPLAY. It ends when the
# script ends, however that ends: the kernel tells it when its parent is gone.
start_display() {
    local number
    exec {display_pipe}< <(exec setpriv --pdeathsig TERM Xvfb -displayfd 1 -screen 0 1280x1024x24 -nolisten tcp "$@" 2>/dev/null)
    display_pids+=("$!")
    if ! read -r -t 60 number <&"$display_pipe"; then
        echo "Xvfb did not start" >&2
        return 1
    fi
    export DISPLAY=":$number"
}

# stop_displays: ends all of them.
stop_displays() {
    if [ "${#display_pids[@]}" -gt 0 ]; then kill "${display_pids[@]}" 2>/dev/null || true; fi
    display_pids=()
}
