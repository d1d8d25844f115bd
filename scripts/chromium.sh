#!/bin/sh
# Prints where a chromium is, for the tests of the page of `rck view`: RCK_CHROMIUM, or one on the PATH.
# With --install Debian's package is installed if there is none and this user may do so.
set -eu
find_one() {
    if [ -n "${RCK_CHROMIUM:-}" ]; then
        echo "$RCK_CHROMIUM"
        return
    fi
    for name in chromium chromium-headless-shell chromium-browser google-chrome; do
        command -v "$name" && return
    done
    return 1
}
find_one && exit 0
if [ "${1:-}" = --install ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "chromium: from Debian's packages" >&2
    log=$(mktemp)
    if { apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends chromium; } >"$log" 2>&1; then
        rm -f "$log"
        find_one && exit 0
    fi
    tail -3 "$log" >&2
    rm -f "$log"
fi
echo "no chromium: install one (Debian: apt-get install chromium), or name one in RCK_CHROMIUM" >&2
exit 1
