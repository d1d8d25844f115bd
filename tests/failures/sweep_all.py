"""`make failures`: each command, each kind of call, each number: all fail once."""

from __future__ import annotations

import argparse
import itertools
import sys

import trust_page
from failures.cases import cases
from failures.failing import KINDS, attempt, shim

_HEAD = ("| command | call | there are | tried | wrong |", "| --- | --- | ---: | ---: | ---: |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--case", help="this command alone")
    parser.add_argument("--most", type=int, help="so many numbers of each kind")
    parser.add_argument("--kind", choices=KINDS, help="this kind of call alone")
    parser.add_argument("--page", action="store_true", help="write the result into docs/trust.md")
    options = parser.parse_args()
    if shim() is None:
        print("failures: skipped: no C compiler of the host builds tests/failures/shim.c")
        return 0
    wrong = tries = 0
    rows = []
    for case in cases():
        if options.case not in (None, case.name):
            continue
        for kind in case.kinds if options.kind is None else [options.kind]:
            well, found = attempt(case, kind, 0)
            tried = KINDS[kind].numbers(well.count, options.most)
            ways = (False, True) if KINDS[kind].stays else (False,)
            for at, stays in itertools.product(tried, ways):
                found += attempt(case, kind, at, stays=stays)[1]
            tries += len(tried) * len(ways)
            rows.append(f"| {case.name} | {kind} | {well.count:,} | {len(tried)} | {len(found)} |")
            print(rows[-1], flush=True)
            print("\n".join(found), file=sys.stderr, end="\n" if found else "")
            wrong += len(found)
    if options.page:
        head = f"{tries:,} failing calls, {wrong} wrong"
        trust_page.write("failures", head, [*_HEAD, *rows])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
