# shellcheck shell=bash
# For scripts that need a screen: sourced, not run.

# start_display [OPTION...]: an X server in memory, for programs with windows, with more options of Xvfb. Sets DISPLAY. It ends when the
# script ends, however that ends: the kernel tells it when its parent is gone.
start_display() {
    local number
    exec {display_pipe}< <(exec setpriv --pdeathsig TERM Xvfb -displayfd 1 -screen 0 1280x1024x24 -nolisten tcp "$@" 2>/dev/null)
    display_pid=$!
    if ! read -r -t 60 number <&"$display_pipe"; then
        echo "Xvfb did not start" >&2
        return 1
    fi
    export DISPLAY=":$number"
}

# stop_display: ends it.
stop_display() {
    if [ -n "${display_pid:-}" ]; then
        kill "$display_pid" 2>/dev/null || true
        display_pid=
    fi
}
