#!/usr/bin/env bash
# `make fuzz`: every reader, the decoder and the core on bytes that nobody meant (fuzz/), the readers of
# the Python package on INPUTS damaged files (tests/readers), random invocations of the microkernel
# (systems/l4), then the core against this processor and,
# where unicorn is installed, against that emulator. SECONDS_EACH is the time for each target; the arguments go to the differential run. Where a C++ compiler is,
# libFuzzer leads by coverage, on the ordinary toolchain; elsewhere the same targets run as property
# tests, for as many cases as take that long.
set -eu
cd "$(dirname "$0")/.."
each=${SECONDS_EACH:-10}
work=target/fuzz

guided_flags() {
    local flag
    printf -- '--cfg fuzzing -Cpasses=sancov-module'
    for flag in level=4 inline-8bit-counters pc-table trace-compares; do
        printf -- ' -Cllvm-args=-sanitizer-coverage-%s' "$flag"
    done
}

# The flags must not reach build scripts: hence the explicit target.
guided() {
    local triple target
    triple=$(rustc -vV | sed -n 's/^host: //p')
    RUSTFLAGS=$(guided_flags) cargo build --quiet --locked --package rockcreek-fuzz \
        --features guided --bin guided --target "$triple" --target-dir "$work/build"
    for target in $(target/debug/rockcreek-fuzz list); do
        target/debug/rockcreek-fuzz examples "$target" "$work/corpus/$target"
        mkdir -p "$work/found"
        echo "fuzz: $target, $each s, led by coverage"
        RCK_FUZZ_TARGET=$target "$work/build/$triple/debug/guided" \
            -max_total_time="$each" -timeout=20 -rss_limit_mb=4096 -max_len=65536 \
            -verbosity=0 -print_final_stats=1 -close_fd_mask=1 \
            -artifact_prefix="$work/found/$target-" "$work/corpus/$target" \
            >"$work/$target.log" 2>&1 || failed "$target"
        sed -n 's/^stat::number_of_executed_units: *\(.*\)/      \1 inputs/p' "$work/$target.log"
    done
}

failed() {
    tail -n 40 "$work/$1.log" >&2
    echo "fuzz: $1 failed; to see it again:" >&2
    echo "  cargo run --package rockcreek-fuzz -- replay $1 $work/found/$1-*" >&2
    exit 1
}

cargo build --quiet --locked --package rockcreek-fuzz
if [ "$each" -gt 0 ]; then
    if command -v "${CXX:-c++}" >/dev/null; then
        guided
    else
        echo "fuzz: no C++ compiler: property tests instead of libFuzzer"
        target/debug/rockcreek-fuzz run --seed "${SEED:-1}" --scale "$each"
    fi
fi
if [ "$each" -gt 0 ]; then
    PYTHONPATH=tests:tests/cli .venv/bin/python -m readers.fuzz --anew --seed "${SEED:-1}" \
        --inputs "${INPUTS:-$((each * 10000))}"
fi
if [ "$each" -gt 0 ]; then
    .venv/bin/python systems/l4/tests/random_invokes.py --anew --invocations $((each * 2000)) \
        --children 50 --first $((${SEED:-1} % 1000000 * 1000)) --out "$work/invokes.jsonl"
fi
cargo run --quiet --locked --package rockcreek-differential -- "$@"
if [ "$each" -gt 0 ] && .venv/bin/python -c 'import unicorn' 2>/dev/null; then
    .venv/bin/python tests/differential/system_oracle.py --seed "${SEED:-1}" --cases $((each * 2000))
fi
