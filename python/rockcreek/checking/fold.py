"""Findings that are one for whoever mends them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rockcreek.checking.kinds.sites import line_of
from rockcreek.formats.findings import Titled


def by_kind(finding: Titled) -> str:
    return finding["kind"]


def by_memory(finding: Titled) -> str:
    return finding["what"]


def fold(by: Callable[[Titled], str], findings: Iterable[Titled]) -> list[Titled]:
    """One finding for all that agree in this and in their two lines, with all counts."""
    folded: dict[tuple[str, str, str], Titled] = {}
    for finding in findings:
        culprit = finding["culprit"]
        other = "" if culprit is None else line_of(culprit)
        same = folded.setdefault((by(finding), line_of(finding["victim"]), other), finding)
        if same is not finding:
            same["count"] += finding["count"]
    return list(folded.values())
