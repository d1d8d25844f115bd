#!/usr/bin/env bash
# `make test`: the tests of the engine and of everything on top of it. Arguments go to pytest.
set -eu
cd "$(dirname "$0")/.."
. scripts/steps.sh
if [ $# -eq 0 ]; then
    step "cargo test" cargo test --locked --workspace --exclude rockcreek-python
fi
step "pytest" .venv/bin/python -m pytest "$@"
[ -n "${CI_STEPS:-}" ] || step_times
