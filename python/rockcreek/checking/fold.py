"""Findings that are one for whoever mends them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rockcreek.checking.kinds.sites import line_of


def fold(by: str, findings: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """One finding for all that agree in this key and in their two lines, with all counts."""
    folded: dict[tuple[str, str, str], dict[str, Any]] = {}
    for finding in findings:
        culprit = finding["culprit"]
        other = "" if culprit is None else line_of(culprit)
        same = folded.setdefault((finding[by], line_of(finding["victim"]), other), finding)
        if same is not finding:
            same["count"] += finding["count"]
    return list(folded.values())
