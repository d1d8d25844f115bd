"""The score: how far the cells of the list `experiments/scored.toml` are from silicon.

A cell's error is |ours / published - 1|, at most 100 %; a cell that no study has measured counts
as 100 %. A mean over many cells of few tables says less than it seems to, so the median and the
mean over entries stand beside it. What the chip decides are the measured cells but for those of
entries with one of the marks below: a pure simulation needs no chip, and a figure by which a
parameter or a program was chosen judges neither.
"""

from __future__ import annotations

import statistics
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rockcreek.repro.scored import CHOSEN, NO_CHIP, ScoredList

WORST = 1.0
FITTED = "fitted"
# Marks of entries that judge something else than the chip.
NOT_THE_CHIP = frozenset({FITTED, CHOSEN, NO_CHIP})

Errors = Mapping[str, list[float]]  # of the measured cells, by entry


@dataclass(frozen=True)
class Score:
    """The errors over so many cells of so many entries."""

    entries: int
    cells: int
    measured: int
    mean: float
    median: float
    mean_of_entries: float


@dataclass(frozen=True)
class Summary:
    """The scores that page and command print, by name, and the one over the list before."""

    scores: Mapping[str, Score]
    before: Score
    before_measured: Score


def errors_of(cells: Iterable[Any], counted: Mapping[str, int]) -> dict[str, list[float]]:
    """The errors of the measured cells of the entries that count, each at most the worst."""
    errors: dict[str, list[float]] = {}
    for cell in cells:
        if cell["counts"] and cell["id"] in counted and cell["error"] is not None:
            errors.setdefault(cell["id"], []).append(min(abs(cell["error"]), WORST))
    return errors


def score(cells: Mapping[str, int], errors: Errors) -> Score:
    """The score over these entries; a cell without an error counts as the worst.

    >>> score({"a": 2, "b": 1, "c": 1}, {"a": [0.1, 0.3], "b": [0.2]})
    Score(entries=3, cells=4, measured=3, mean=0.4, median=0.25, mean_of_entries=0.466667)
    """
    by_entry = [
        [*errors.get(name, []), *[WORST] * (count - len(errors.get(name, [])))]
        for name, count in cells.items()
    ]
    all_errors = [error for found in by_entry for error in found]
    if not all_errors:
        return Score(0, 0, 0, 0.0, 0.0, 0.0)
    return Score(
        entries=len(by_entry),
        cells=len(all_errors),
        measured=sum(len(errors.get(name, [])) for name in cells),
        mean=round(statistics.fmean(all_errors), 6),
        median=round(statistics.median(all_errors), 6),
        mean_of_entries=round(statistics.fmean(map(statistics.fmean, by_entry)), 6),
    )


def summary(
    listed: ScoredList, cells: Collection[Any], before: Collection[Any], fitted: set[str]
) -> Summary:
    """All scores; `before` are the cells as the list before compared them."""
    errors = errors_of(cells, listed.cells)
    measured = {name: len(found) for name, found in errors.items()}
    unfitted, plain = (
        {name: n for name, n in measured.items() if not marks_of(name, listed, fitted) & marks}
        for marks in ({FITTED, NO_CHIP}, NOT_THE_CHIP)
    )
    old_errors = errors_of(before, listed.before)
    old_measured = {name: len(found) for name, found in old_errors.items()}
    return Summary(
        scores={
            "the whole list": score(listed.cells, errors),
            "what studies have measured of it": score(measured, errors),
            "of that: needs a chip, has fixed no parameter": score(unfitted, errors),
            "and has chosen no program: what the chip decides": score(plain, errors),
        },
        before=score(listed.before, old_errors),
        before_measured=score(old_measured, old_errors),
    )


def marks_of(name: str, listed: ScoredList, fitted: set[str]) -> set[str]:
    """All marks of an entry."""
    return {*listed.marks.get(name, {}), *([FITTED] if name in fitted else [])}


def fitted(values: Any) -> set[str]:
    """The entries that a chip description names as having fixed a parameter."""
    if isinstance(values, dict):
        own = values.get("fit", [])
        names = set(own) if isinstance(own, list) else set()
        return names.union(*(fitted(inner) for inner in values.values()))
    return set()
