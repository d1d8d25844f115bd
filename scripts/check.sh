#!/usr/bin/env bash
# `make check`: formatters, linters and type checks of Rust, Python and C. Runs all steps, and fails
# if one of them did.
set -u
cd "$(dirname "$0")/.." || exit 1
. scripts/steps.sh
export PATH="$PWD/.venv/bin:$PATH"
failed=0
run() { step "$@" || failed=1; }

guest_sources() {
    git ls-files -z -- '*.c' '*.h' '*.cpp' | grep -zv '^guest/scc/include/scc/registers.h' |
        xargs -0 -r clang-format --dry-run --Werror
}

has_target() {
    [ -d "$(rustc --print sysroot)/lib/rustlib/$1/lib" ]
}

run "cargo fmt" cargo fmt --all --check
run "cargo clippy" cargo clippy --locked --workspace --all-targets -- -D warnings
run "ruff format" ruff format --check .
run "ruff" ruff check .
run "mypy" mypy
run "clang-format" guest_sources
# The engine is pure Rust: it must compile for every host that README names.
for target in aarch64-unknown-linux-gnu aarch64-apple-darwin; do
    if has_target "$target"; then
        run "cargo check $target" env RUSTFLAGS="-D warnings" cargo check --locked --workspace \
            --exclude rockcreek-python --target "$target"
    else
        echo "== cargo check $target: skipped, the target is not installed"
    fi
done

[ -n "${CI_STEPS:-}" ] || step_times
exit "$failed"
