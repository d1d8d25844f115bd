#!/usr/bin/env bash
# `make fresh`: what a stranger does. Clones the committed state to a temporary folder, and runs
# `make demo` and `make test` there with an empty HOME and almost no environment. Where the package
# registries are reached through settings of this host, name them in FRESH_KEEP (variable names).
set -eu
cd "$(dirname "$0")/.."
. scripts/steps.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git clone --quiet . "$folder/rockcreek"
mkdir "$folder/home"

# The tools of the machine stay: python3 and cargo may be small programs that find the real ones
# through HOME.
python=$(dirname "$("${PYTHON:-python3}" -c 'import sys; print(sys.executable)')")
kept=(PATH="$python:$PATH" HOME="$folder/home" LANG=C.UTF-8)
rustup_home=${RUSTUP_HOME:-$HOME/.rustup}
[ ! -d "$rustup_home" ] || kept+=(RUSTUP_HOME="$rustup_home")
for name in ${FRESH_KEEP:-}; do
    kept+=("$name=${!name}")
done

stranger() {
    env -i "${kept[@]}" make -C "$folder/rockcreek" "$@"
}
step "make demo" stranger demo
step "make demo, again" stranger demo
step "make test" stranger test
step_times
