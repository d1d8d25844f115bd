# Sourced by the other scripts: runs named steps, and tells at the end how long each took.
# shellcheck shell=bash

STEP_TIMES=${STEP_TIMES:-$(mktemp)}
export STEP_TIMES

step() { # step NAME COMMAND...
    local name=$1 start
    shift
    start=$SECONDS
    printf '== %s\n' "$name"
    if "$@"; then
        printf '%5d s  %s\n' $((SECONDS - start)) "$name" >>"$STEP_TIMES"
    else
        local code=$?
        printf '%5d s  %s (FAILED)\n' $((SECONDS - start)) "$name" >>"$STEP_TIMES"
        return "$code"
    fi
}

step_times() {
    printf '== time per step\n'
    cat "$STEP_TIMES"
}
