"""Test-and-set registers that are released by a core which does not hold them."""

from __future__ import annotations

from rockcreek.checking.kinds.row import Finding, Kind, say


def _title(finding: Finding) -> str:
    held = "nobody holds"
    if finding["culprit"] is not None:
        held = say("core {other} holds", finding)
    return say("core {core} released the {what}, which ", finding) + held


def _last(finding: Finding) -> str:
    return "releases it" if finding["culprit"] else "releases what nobody holds"


KINDS = {
    "lock-misuse": Kind(
        rule="A core released a lock that it did not hold.",
        title=_title,
        remedy="release a lock only where it was acquired; see {line}",
        why="A lock protects only if those alone release it who hold it.",
        last=_last,
        first="released",
        second="held since",
        culprit="takes the lock",
    ),
}
