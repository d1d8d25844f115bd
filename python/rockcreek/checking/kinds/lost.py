"""Writes that the writer's, or another core's, cache has lost."""

from __future__ import annotations

from rockcreek.checking.kinds.row import Finding, Kind, other_of
from rockcreek.checking.kinds.sites import line_of

_LOST = "writes {value}: lost"


def _own_lines(finding: Finding) -> str:
    victim, culprit = finding["victim"], other_of(finding)
    both = " and ".join(dict.fromkeys([line_of(victim), line_of(culprit)]))
    return (
        f"{both}: the cores write to one line of 32 bytes that core {culprit['core']}"
        " caches: give each core lines of its own (a multiple of 32 bytes, aligned to 32)"
    )


KINDS = {
    "lost-update": Kind(
        rule="A line that was written back overwrote newer bytes of another core.",
        title=(
            "core {core}'s {value} in {what} was overwritten with old bytes when core {other} wrote"
            " the line back from its {level}"
        ),
        remedy=_own_lines,
        why=(
            "A cache writes back whole lines of 32 bytes: also the bytes that its core has not"
            " stored to, as they were when the line was fetched."
        ),
        last=_LOST,
        first="lost",
        second="stored beside",
        culprit="writes {other_value} beside it",
        culprit_cache="its {level} writes the line back, old bytes too",
        shares_line=True,
    ),
    "lost-write": Kind(
        rule="A dirty line was dropped before it reached memory.",
        title="core {core}'s {value} in {what} was dropped from its L1D, never written",
        remedy=(
            "CL1INVMB or INVD dropped what {line} stored into a line that L1D held: map the page"
            " write-through, or CL1INVMB before the store"
        ),
        why="CL1INVMB and INVD drop lines of L1D, also those that hold stores.",
        last=_LOST,
        first="lost",
        second="dropped",
    ),
}
