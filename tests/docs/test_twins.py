"""Guides compare examples with the same programs by RCCE: the lines are counted again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)


def lines_of_code(program: str) -> int:
    """Without comments and blank lines."""
    text = COMMENT.sub("", (ROOT / "systems" / program).read_text())
    return sum(bool(line.strip()) for line in text.splitlines())


@pytest.mark.parametrize(
    ("guide", "words", "programs"),
    [
        ("lpel", "primes.c {}, primes_rcce.c {}.", ("primes.c", "primes_rcce.c")),
        ("mesh", ": {} with MESH, {} with RCCE.", ("render.cpp", "render_rcce.c")),
        ("svp", "| `rays.c` | {} |", ("rays.c",)),
        ("svp", "| `rays_rcce.c` | {} |", ("rays_rcce.c",)),
    ],
)
def test_lines_are_as_many_as_told(guide: str, words: str, programs: tuple[str, ...]) -> None:
    counted = words.format(*(lines_of_code(f"{guide}/programs/{name}") for name in programs))
    assert counted in (ROOT / f"docs/guide/{guide}.md").read_text()
