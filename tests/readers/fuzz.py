"""Many damaged inputs for each reader, in this process: `make fuzz` runs it, a test a few of them.

No input may end with a traceback (exit code 70), take longer than SECONDS or, all together, more
memory than MEGABYTES. An input that does is kept, and replayed by its number: target, seed, number.
"""

from __future__ import annotations

import argparse
import math
import random
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import trust_page
from readers.mutate import mutated
from readers.targets import Target, targets

# The input under names that commands ask for.
SUFFIXES = ("", ".toml", ".json", ".parquet", ".o")
SECONDS = 20.0  # generous: a host may be busy
MEGABYTES = 1024
_HEAD = (
    "| reader | inputs | by exit code | wrong | slowest |",
    "| --- | ---: | --- | ---: | ---: |",
)
# What a reader may end with: docs/guide/exit-codes.md.
ALLOWED = frozenset({0, 1, 64, 65, 66, 78})


@dataclass
class Seen:
    """What became of the inputs of one reader."""

    codes: Counter[int] = field(default_factory=Counter)
    slowest_s: float = 0.0
    wrong: list[str] = field(default_factory=list)


def run(target: Target, folder: Path, seed: int, count: int, first: int = 0) -> Seen:
    """Inputs first, first + 1, ... of a target's sequence."""
    seen = Seen()
    path = folder / "input"
    for number in range(first, first + count):
        data = mutated(target.good, random.Random(f"{target.name}/{seed}/{number}"), target.kind)
        for name in map(path.with_suffix, SUFFIXES):
            name.write_bytes(data)
        start = time.monotonic()
        try:
            code = target.read(str(path))
        except BaseException as error:
            code = 70
            text = str(error) if isinstance(error, AssertionError) else traceback.format_exc()
            seen.wrong.append(f"{target.name} seed {seed} number {number}:\n{text}")
            if isinstance(error, KeyboardInterrupt):
                raise
        took = time.monotonic() - start
        seen.codes[code] += 1
        seen.slowest_s = max(seen.slowest_s, took)
        if took > SECONDS:
            seen.wrong.append(f"{target.name} seed {seed} number {number}: {took:.1f} s")
        if code not in {*ALLOWED, *target.more_codes, 70}:
            seen.wrong.append(f"{target.name} seed {seed} number {number}: exit code {code}")
    return seen


def memory_mb() -> int:
    """The most that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000, help="over all readers")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", help="this reader alone")
    parser.add_argument("--first", type=int, default=0, help="number of the first input of each")
    parser.add_argument("--page", action="store_true", help="write the result into docs/trust.md")
    options = parser.parse_args()
    wrong = total = 0
    rows = []
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        chosen = [one for one in targets(folder) if options.target in (None, one.name)]
        before = memory_mb()
        share = options.inputs / sum(one.weight for one in chosen)
        for target in chosen:
            each = math.ceil(share * target.weight)
            seen = run(target, folder, options.seed, each, options.first)
            codes = ", ".join(f"{code}: {count:,}" for code, count in sorted(seen.codes.items()))
            slowest = f"{seen.slowest_s:.1f} s"
            row = f"| {target.name} | {each:,} | {codes} | {len(seen.wrong)} | {slowest} |"
            print(row, flush=True)
            rows.append(row)
            wrong, total = wrong + len(seen.wrong), total + each
            for text in seen.wrong[:5]:
                print(text, file=sys.stderr)
        grown = memory_mb() - before
        print(f"{total:,} inputs, {wrong} wrong; memory grew by {grown} MB")
    if options.page:
        minutes = (time.monotonic() - start) / 60
        head = f"{total:,} inputs, seed {options.seed}, {wrong} wrong, {minutes:.0f} minutes"
        trust_page.write("readers", head, [*_HEAD, *rows])
    return 1 if wrong or grown > MEGABYTES else 0


if __name__ == "__main__":
    sys.exit(main())
