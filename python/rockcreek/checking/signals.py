"""Accesses by which our libraries signal: what else would be a race is meant there.

The engine knows by itself what a program waits by, as far as it is read in a loop. A library looks
at a flag once, too, and does something else before it looks again: its functions are named here.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from rockcreek.checking.kinds import RACES
from rockcreek.formats.findings import Named, Site

LOCK_MISUSE, LOCK_READ, WAIT = "lock-misuse", "lock-read", "wait"
# Functions that read and write flags and do nothing else.
_SIGNALS = frozenset(
    {
        "rcce_signal_load", "rcce_signal_store", "store_bit", "store_byte", "poll", "poll_line",
        "rcce_coll_signal", "rcce_coll_await",
    }
)  # fmt: skip
# It frees its core's lock, whoever holds it: the next job finds it so.
_ENDS = frozenset({"RCCE_finalize"})
# These free a lock, and read its register only if the caller does not hold it.
_RELEASES = frozenset({"RCCE_release_lock"})


def _within(site: Site | None, functions: frozenset[str]) -> bool:
    if site is None or not site["frames"]:
        return False
    innermost = site["frames"][0]["eip"]
    return any(
        frame["function"] in functions for frame in site["frames"] if frame["eip"] == innermost
    )


def releases(site: Site) -> bool:
    """Whether an access to a lock was made in order to free it."""
    return _within(site, _RELEASES)


def waits(findings: Iterable[Named]) -> set[tuple[str, int]]:
    """The lines at which a program waits: a compiler makes several instructions of one loop."""
    return {line for one in findings if one["kind"] == WAIT and (line := _line(one["victim"]))}


def _line(site: Site) -> tuple[str, int] | None:
    frame = site["frames"][0] if site["frames"] else None
    if frame is None or not frame["file"] or not frame["line"]:
        return None
    return frame["file"], frame["line"]


def is_meant(finding: Named, waited_at: Set[tuple[str, int]]) -> bool:
    """Whether a finding is no mistake: flags of a library, a loop that waits, a look at a lock."""
    kind = finding["kind"]
    if kind in (LOCK_READ, WAIT):
        return True
    frames = finding["victim"]["frames"]
    if kind == LOCK_MISUSE and any(frame["function"] in _ENDS for frame in frames):
        return True
    if kind in ("early-read", "race") and _line(finding["victim"]) in waited_at:
        return True
    both = (finding["victim"], finding["culprit"])
    signals = all(site is not None and _within(site, _SIGNALS) for site in both)
    return kind in RACES and signals
