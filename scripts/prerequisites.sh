#!/bin/sh
# Say in one line what this machine lacks; print the Python to use.
#
#   scripts/prerequisites.sh [PYTHON]
set -u

fail() {
    echo "rockcreek: $1" >&2
    exit 1
}

# at_least HAVE WANT: versions of two numbers, compared.
at_least() {
    have_major=${1%%.*}
    have_minor=${1#*.}
    have_minor=${have_minor%%.*}
    [ "$have_major" -gt "${2%%.*}" ] || {
        [ "$have_major" -eq "${2%%.*}" ] && [ "$have_minor" -ge "${2#*.}" ]
    }
}

for tool in git make; do
    command -v "$tool" >/dev/null 2>&1 || fail "$tool is missing: install it"
done
cc=${CC:-cc}
command -v "${cc%% *}" >/dev/null 2>&1 ||
    fail "no C compiler ($cc): Rust links with it; install gcc or clang"

rust=$(rustc --version 2>/dev/null | cut -d' ' -f2)
[ -n "$rust" ] || fail "rustc is missing: Rust 1.95 or newer is needed (https://rustup.rs)"
at_least "$rust" 1.95 ||
    fail "rustc $rust is too old: Rust 1.95 or newer is needed (rustup update)"
command -v cargo >/dev/null 2>&1 ||
    fail "cargo is missing: it comes with Rust (https://rustup.rs)"

found=
for python in "$@" python3 python3.14 python3.13 python3.12 python3.11; do
    version=$("$python" -c \
        'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) ||
        continue
    found=${found:-$python $version}
    if at_least "$version" 3.11; then
        "$python" -c 'import venv, ensurepip' 2>/dev/null ||
            fail "$python has no venv module: install it (Debian: python3-venv)"
        echo "$python"
        exit 0
    fi
done
fail "Python 3.11 or newer is needed (found: ${found:-none})"
