"""Writes today's counts into `ratchet.toml`: `python tests/structure/lower_ratchet.py`.

A file that was moved takes its count along; a rule that is broken more often than before, over
all, is refused: exit code 1, and nothing is written.
"""

from __future__ import annotations

import sys

from house import ratchet
from house.files import the_house


def main() -> int:
    house, before = the_house(), ratchet.listed()
    now = {rule: dict(count(house)) for rule, count in ratchet.RULES.items()}
    refused = False
    for rule, found in now.items():
        allowed = before.get(rule, {})
        if sum(found.values()) > sum(allowed.values()):
            refused = True
            print(f"{rule}: {ratchet.MEANING[rule]}: mend these:", file=sys.stderr)
            print(*ratchet.risen(found, allowed), sep="\n", file=sys.stderr)
    if refused:
        return 1
    ratchet.FILE.write_text(ratchet.text_of(now), encoding="utf-8")
    totals = ", ".join(f"{rule} {sum(found.values())}" for rule, found in now.items())
    print(f"{ratchet.FILE.name}: {totals}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
