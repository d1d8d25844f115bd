"""The kinds of findings: what each is, how it reads, why it happens and what to do.

A new kind is a row in the file of its family; report, story, SARIF and counts follow from it.
"""

from __future__ import annotations

from rockcreek.checking.kinds import copies, held, locks, lost, memory, order
from rockcreek.checking.kinds.row import Finding, Kind, say

__all__ = ["KINDS", "RACES", "Finding", "Kind", "kind_of", "remedy", "say", "title"]

KINDS: dict[str, Kind] = {
    **copies.KINDS,
    **held.KINDS,
    **lost.KINDS,
    **order.KINDS,
    **locks.KINDS,
    **memory.KINDS,
}
RACES = tuple(name for name, kind in KINDS.items() if kind.is_race)


def kind_of(finding: Finding) -> Kind:
    """The row of this finding's kind."""
    return KINDS[finding["kind"]]


def title(finding: Finding) -> str:
    """The finding in one sentence."""
    return say(kind_of(finding).title, finding)


def remedy(finding: Finding) -> str:
    """A sentence that names what is missing, on which core, between which lines."""
    return say(kind_of(finding).remedy, finding)
