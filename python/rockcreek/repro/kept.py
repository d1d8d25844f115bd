"""What the page says of studies that were not run again: their sections, and the numbers in them.

The page is made of results; those of single studies may be of another day than the rest. A section
that is kept says of which.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

_HEADING = re.compile(r"^## .* \(`([a-z0-9-]+)`\)$", re.MULTILINE)
_MADE = re.compile(r"^Made on (\S+) from commit (.*)\.$", re.MULTILINE)
_AS_OF = "(As of "
_CELL = re.compile(
    r"^\| ([A-Za-z0-9-]+)( \(a\))?(?: \(f\))? \|.*\| ([+-][\d.]+) % \| \d+ % \| (\w+) \|$",
    re.MULTILINE,
)
_STATEMENT = re.compile(r"^\| .* \| (holds|does not hold) \|$", re.MULTILINE)


@dataclass(frozen=True)
class Kept:
    """A study's section as the page had it; `cells` and `statements` with the keys that the score
    and the counts need."""

    study: str
    text: str
    cells: list[dict[str, Any]] = field(default_factory=list)
    statements: list[dict[str, Any]] = field(default_factory=list)

    def counted(self) -> dict[str, Any]:
        """As the part of a result that the score reads."""
        return {"study": self.study, "cells": self.cells, "statements": self.statements}


def sections_of(page: str, wanted: Collection[str]) -> list[Kept]:
    """The sections of these studies, as far as the page has them."""
    made = _MADE.search(page)
    as_of = f"{_AS_OF}{made[1]}, commit {made[2]}.)" if made else f"{_AS_OF}an earlier day.)"
    found = []
    for heading in _HEADING.finditer(page):
        if heading[1] not in wanted:
            continue
        end = page.find("\n## ", heading.end())
        text = page[heading.start() : end if end >= 0 else len(page)].rstrip()
        if _AS_OF not in text:
            text = f"{text}\n\n{as_of}"
        cells = [
            {"id": name, "counts": not beside, "error": float(error) / 100, "verdict": verdict}
            for name, beside, error, verdict in _CELL.findall(text)
        ]
        statements = [{"verdict": verdict} for verdict in _STATEMENT.findall(text)]
        found.append(Kept(heading[1], text + "\n", cells, statements))
    return found
