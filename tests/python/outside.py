"""A stranger's program: what it uses is typed (test_api.py runs mypy --strict on it)."""

from __future__ import annotations

import rockcreek
from rockcreek import Chip, Event, Result


def exits(program: str) -> list[tuple[int, int]]:
    """Core and simulated time of each end."""
    found: list[tuple[int, int]] = []

    def note(event: Event) -> None:
        found.append((event.core, event.time_ps))

    chip: Chip = rockcreek.load(program, n=2)
    chip.observe("exit", note)
    status: str = chip.run(until_ps=10**12)
    assert status == "ended"
    return found


def cycles(program: str) -> list[int]:
    """Of each core."""
    result: Result = rockcreek.run(program, n=2).check()
    picture: str = result.die("waiting")
    assert picture.startswith("<svg")
    return [row["cycles"] for row in result.rows("cores")]
