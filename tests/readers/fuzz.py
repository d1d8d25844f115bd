"""Many damaged inputs for each reader: `make fuzz` runs it, a test a few of them.

No input may end with a traceback (exit code 70), take longer than SECONDS or, with all others of
its process, more memory than MEGABYTES. An input that does is reported by its number: target, seed,
number. Inputs are tried in portions, side by side if asked for; what a portion has shown is kept
in a file, so that a stopped call goes on, and the page is of all that was kept.
"""

from __future__ import annotations

import argparse
import atexit
import math
import multiprocessing
import random
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import trust_page
from kept_lines import Lines
from readers.mutate import mutated
from readers.targets import Target, targets

# The input under names that commands ask for.
SUFFIXES = ("", ".toml", ".json", ".parquet", ".o")
SECONDS = 20.0  # generous: a host may be busy
MEGABYTES = 1024
PORTION = 200  # inputs
_HEAD = (
    "| reader | inputs | by exit code | wrong | slowest | commit |",
    "| --- | ---: | --- | ---: | ---: | --- |",
)
# What a reader may end with: docs/guide/exit-codes.md.
ALLOWED = frozenset({0, 1, 64, 65, 66, 78})


@dataclass
class Seen:
    """What became of the inputs of one reader."""

    codes: Counter[int] = field(default_factory=Counter)
    slowest_s: float = 0.0
    wrong: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Portion:
    """Some inputs of a reader that were tried."""

    target: str
    seed: int
    first: int
    count: int
    codes: dict[str, int]
    slowest_s: float
    wrong: list[str]
    commit: str

    @property
    def key(self) -> tuple[str, int, int, int]:
        return self.target, self.seed, self.first, self.count


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


class _Worker:
    """What a process has: the readers, and how much memory it had before."""

    readers: ClassVar[dict[str, Target]] = {}
    folder: ClassVar[Path]
    before_mb: ClassVar[int]

    @classmethod
    def begin(cls) -> None:
        own = tempfile.TemporaryDirectory()
        atexit.register(own.cleanup)
        cls.folder = Path(own.name)
        cls.readers = {one.name: one for one in targets(cls.folder)}
        cls.before_mb = memory_mb()


def _portion(name: str, seed: int, first: int, count: int) -> Portion:
    seen = run(_Worker.readers[name], _Worker.folder, seed, count, first)
    grown = memory_mb() - _Worker.before_mb
    if grown > MEGABYTES:
        seen.wrong.append(f"{name} seed {seed} numbers {first} to {first + count}: {grown} MB more")
    codes = {str(code): many for code, many in seen.codes.items()}
    slowest = round(seen.slowest_s, 1)
    return Portion(name, seed, first, count, codes, slowest, seen.wrong, trust_page.commit())


def _portions(options: argparse.Namespace) -> Iterator[tuple[str, int, int, int]]:
    """What is to be tried: reader, seed, first input, how many."""
    chosen = [one for one in _Worker.readers.values() if options.target in (None, one.name)]
    share = options.inputs / sum(one.weight for one in chosen)
    for target in chosen:
        end = options.first + math.ceil(share * target.weight)
        for first in range(options.first, end, PORTION):
            yield target.name, options.seed, first, min(PORTION, end - first)


def _row(name: str, portions: Sequence[Portion]) -> str:
    """The line of the page for a reader."""
    codes: Counter[int] = Counter()
    for one in portions:
        codes.update({int(code): many for code, many in one.codes.items()})
    shown = ", ".join(f"{code}: {many:,}" for code, many in sorted(codes.items()))
    wrong = sum(len(one.wrong) for one in portions)
    slowest = max(one.slowest_s for one in portions)
    commits = ", ".join(sorted({one.commit for one in portions}))
    return f"| {name} | {codes.total():,} | {shown} | {wrong} | {slowest} s | {commits} |"


def _try_all(options: argparse.Namespace, kept: Lines[Portion]) -> None:
    """All portions that have not been kept, each in one of the processes."""
    done = {one.key for one in kept.all()}
    left = [one for one in _portions(options) if one not in done]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(options.jobs, context, _Worker.begin) as pool:
        for future in as_completed([pool.submit(_portion, *one) for one in left]):
            found = future.result()
            kept.add(found)
            print("\n".join(found.wrong[:5]), file=sys.stderr, end="\n" if found.wrong else "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000, help="over all readers")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", help="this reader alone")
    parser.add_argument("--first", type=int, default=0, help="number of the first input of each")
    parser.add_argument("--jobs", type=int, default=1, help="processes that run side by side")
    parser.add_argument("--anew", action="store_true", help="forget what was tried")
    parser.add_argument("--page", action="store_true", help="write the result into docs/trust.md")
    options = parser.parse_args()
    kept = Lines("readers", Portion, anew=options.anew)
    _Worker.begin()
    _try_all(options, kept)
    portions = [one for one in kept.all() if one.target in _Worker.readers]
    by_name = {name: [one for one in portions if one.target == name] for name in _Worker.readers}
    rows = [_row(name, found) for name, found in by_name.items() if found]
    print("\n".join(rows))
    total = sum(one.count for one in portions)
    wrong = sum(len(one.wrong) for one in portions)
    seeds = ", ".join(map(str, sorted({one.seed for one in portions})))
    head = f"{total:,} inputs, seed {seeds}, {wrong} wrong"
    print(head)
    if options.page:
        commits = [one.commit for one in portions]
        trust_page.write("readers", head, [*_HEAD, *rows], commits)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
