#!/usr/bin/env bash
# `make test`: the tests of the engine and of everything on top of it. Arguments go to pytest; the
# whole, but for those marked slow (`make slow`), runs on as many processes as the host has cores, up to
# four, and chosen tests in one.
set -eu
cd "$(dirname "$0")/.."
. scripts/steps.sh
if [ $# -eq 0 ]; then
    # Programs and doc comments have no tests (tests/structure/test_suites.py).
    step "cargo test" cargo test --locked --workspace --exclude rockcreek-python --lib --tests
    jobs=$(.venv/bin/python -c 'import os; print(min(os.cpu_count() or 1, 4))')
    set -- -n "$jobs" --dist worksteal -m "not slow"
fi
step "pytest" .venv/bin/python -m pytest "$@"
[ -n "${CI_STEPS:-}" ] || step_times
