"""`make failures`: each command, each kind of call, each number: all fail once. A try is kept, so
that a stopped call goes on, and the page is of all that was kept. What was wrong is tried again."""

from __future__ import annotations

import argparse
import itertools
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import trust_page
from failures.cases import cases
from failures.failing import KINDS, Case, attempt, shim
from kept_lines import Lines

_HEAD = (
    "| command | call | there are | tried | all from it on | wrong | commit |",
    "| --- | --- | ---: | ---: | ---: | ---: | --- |",
)


@dataclass(frozen=True)
class Try:
    """A failing call, and what was wrong."""

    case: str
    kind: str
    at: int  # 0: none fails
    stays: bool
    count: int  # how many calls there were
    wrong: list[str]
    commit: str

    @property
    def key(self) -> tuple[str, str, int, bool]:
        return self.case, self.kind, self.at, self.stays


class Kept:
    """The tries so far; of one that was made twice the later one holds."""

    def __init__(self, *, anew: bool) -> None:
        self._lines = Lines("failures", Try, anew=anew)
        self._tries = {one.key: one for one in self._lines.all()}

    def find(self, *key: Any) -> Try | None:
        return self._tries.get(key)

    def add(self, one: Try) -> None:
        self._lines.add(one)
        self._tries[one.key] = one

    def of(self, case: str, kind: str) -> list[Try]:
        """All tries of a piece."""
        return [one for one in self._tries.values() if (one.case, one.kind) == (case, kind)]


def _one(kept: Kept, case: Case, kind: str, at: int, stays: bool) -> Try:
    found = kept.find(case.name, kind, at, stays)
    if found is None or found.wrong:
        ended, wrong = attempt(case, kind, at, stays=stays)
        found = Try(case.name, kind, at, stays, ended.count, wrong, trust_page.commit())
        kept.add(found)
        print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "", flush=True)
    return found


def _piece(kept: Kept, case: Case, kind: str, most: int | None, jobs: int) -> None:
    """All tries of one command and kind of call."""
    count = _one(kept, case, kind, 0, False).count
    ways = (False, True) if KINDS[kind].stays else (False,)
    numbers = KINDS[kind].numbers(count, most)
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda of: _one(kept, case, kind, *of), itertools.product(numbers, ways)))


def _row(kept: Kept, case: Case, kind: str) -> str | None:
    """The line of the page for a piece that was begun."""
    begun, tries = kept.find(case.name, kind, 0, False), kept.of(case.name, kind)
    if begun is None:
        return None
    single = sum(one.at > 0 and not one.stays for one in tries)
    staying = sum(one.stays for one in tries) if KINDS[kind].stays else "-"
    wrong = sum(bool(one.wrong) for one in tries)
    commits = ", ".join(sorted({one.commit for one in tries}))
    return (
        f"| {case.name} | {kind} | {begun.count:,} | {single} | {staying} | {wrong} | {commits} |"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--case", help="this command alone")
    parser.add_argument("--most", type=int, help="so many numbers of each kind")
    parser.add_argument("--kind", choices=KINDS, help="this kind of call alone")
    parser.add_argument("--jobs", type=int, default=1, help="commands that run side by side")
    parser.add_argument("--anew", action="store_true", help="forget what was tried")
    parser.add_argument("--page", action="store_true", help="write the result into docs/trust.md")
    options = parser.parse_args()
    if shim() is None:
        print("failures: skipped: no C compiler of the host builds tests/failures/shim.c")
        return 0
    kept = Kept(anew=options.anew)
    for case in cases():
        for kind in case.kinds:
            if options.case in (None, case.name) and options.kind in (None, kind):
                _piece(kept, case, kind, options.most, options.jobs)
                print(_row(kept, case, kind), flush=True)
    pieces = [(case, kind) for case in cases() for kind in case.kinds]
    tries = [one for case, kind in pieces for one in kept.of(case.name, kind)]
    wrong = sum(bool(one.wrong) for one in tries)
    if options.page:
        rows = [row for case, kind in pieces if (row := _row(kept, case, kind)) is not None]
        head = f"{sum(one.at > 0 for one in tries):,} failing calls, {wrong} wrong"
        commits = [one.commit for one in tries]
        trust_page.write("failures", head, [*_HEAD, *rows], commits)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
