#!/bin/sh
# Resolve requirements/*.in anew and write the locked requirements/*.txt, with
# the hashes of every file, for all systems and Python 3.11 and newer.
# Needs uv (pip install uv).
set -eu
cd "$(dirname "$0")/../requirements"
for name in runtime build setup guide; do
    uv pip compile --quiet --universal --python-version 3.11 \
        --generate-hashes --custom-compile-command 'make lock' "$@" \
        "$name.in" --output-file "$name.txt"
done
