"""`make failures`: each command, each kind of call, each number: all fail once."""

from __future__ import annotations

import argparse
import sys

from failures.cases import cases
from failures.failing import attempt, shim


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--case", help="this command alone")
    parser.add_argument("--most", type=int, default=10_000, help="so many numbers of each kind")
    options = parser.parse_args()
    if shim() is None:
        print("failures: skipped: no C compiler of the host builds tests/failures/shim.c")
        return 0
    wrong = 0
    for case in cases():
        if options.case not in (None, case.name):
            continue
        for kind in case.kinds:
            well, found = attempt(case, kind, 0)
            tried = min(well.count, options.most)
            for at in range(1, tried + 1):
                found += attempt(case, kind, at)[1]
                if kind == "write":
                    found += attempt(case, kind, at, stays=True)[1]
            print(f"| {case.name} | {kind} | {well.count} | {tried} | {len(found)} |", flush=True)
            print("\n".join(found), file=sys.stderr, end="\n" if found else "")
            wrong += len(found)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
