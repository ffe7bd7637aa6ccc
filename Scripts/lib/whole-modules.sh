# shellcheck shell=bash
# For scripts that build what nobody goes on building: sourced, not run.

# A module at once takes a fifth less processor time than its files one by one.
# shellcheck disable=SC2034
whole_modules=(-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2)

# warnings LOG: those of a build, without the one that says that modules are taken as a whole.
warnings() { grep 'warning: ' "$1" | grep -v "ignoring '-enable-batch-mode'"; }

# compile_again LOG: has the next build compile the files again that warned, which else would say nothing of them.
compile_again() {
    local file
    sed -nE 's/^(\/.*):[0-9]+:[0-9]+: warning: .*/\1/p' "$1" | LC_ALL=C sort -u | while read -r file; do touch -c "$file"; done
}
