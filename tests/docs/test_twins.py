"""Guides compare examples with the same programs by RCCE: sources and lines are read again."""

from __future__ import annotations

import pytest
from scripts import ports

ROOT = ports.ROOT


@pytest.mark.parametrize(
    ("guide", "words", "programs"),
    [
        ("lpel", "primes.c {}, primes_rcce.c {} (", ("primes.c", "primes_rcce.c")),
        ("mesh", ": {} with MESH, {} with RCCE.", ("render.cpp", "render_rcce.c")),
        ("svp", "| `rays.c` | {} |", ("rays.c",)),
        ("svp", "| `rays_rcce.c` | {} |", ("rays_rcce.c",)),
    ],
)
def test_lines_are_as_many_as_told(guide: str, words: str, programs: tuple[str, ...]) -> None:
    counted = words.format(
        *(ports.lines_of_code(f"systems/{guide}/programs/{name}") for name in programs)
    )
    assert counted in (ROOT / f"docs/guide/{guide}.md").read_text()


def test_the_page_with_both_sources_is_that_of_the_sources() -> None:
    assert ports.TARGET.read_text() == ports.page(), "run python scripts/ports.py"
