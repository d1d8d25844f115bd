"""The score: the mean error over all cells of the frozen list `experiments/scored.toml`.

    [scored]            id = number of cells
    [excluded]          id = "why it does not count"

A cell's error is |ours / published - 1|, at most 100 %; a cell that no study has measured yet
counts as 100 %. Entries that a chip description names under `fit` have fixed a parameter; the
score without them stands beside the full one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rockcreek.repro.toml_reader import Reader, load

WORST = 1.0


@dataclass(frozen=True)
class Frozen:
    """The frozen list."""

    cells: Mapping[str, int]
    excluded: Mapping[str, str]

    @property
    def total(self) -> int:
        return sum(self.cells.values())


@dataclass(frozen=True)
class Score:
    """A mean error over so many cells."""

    cells: int
    measured: int
    mean_error: float


def load_frozen(experiments: Path) -> Frozen:
    """The list of what counts, and of what does not."""
    path = experiments / "scored.toml"
    reader = Reader(path, load(path))
    cells, excluded = reader.any("scored"), reader.any("excluded")
    reader.done()
    for name, count in cells.items():
        if type(count) is not int or count < 1:
            raise reader.error(f"scored.{name}: {count!r} is not a number of cells")
    return Frozen(cells, excluded)


def errors_of(frozen: Frozen, results: Iterable[Mapping[str, Any]]) -> dict[str, list[float]]:
    """The errors of the measured cells of each entry that counts, from results of studies."""
    errors: dict[str, list[float]] = {}
    for result in results:
        for cell in result["cells"]:
            if cell["counts"] and cell["id"] in frozen.cells and cell["error"] is not None:
                errors.setdefault(cell["id"], []).append(min(abs(cell["error"]), WORST))
    return errors


def score(cells: Mapping[str, int], errors: Mapping[str, list[float]]) -> Score:
    """The mean over these entries; a cell without an error counts as the worst.

    >>> score({"a": 2, "b": 1, "c": 1}, {"a": [0.1, 0.3], "b": [0.2]})
    Score(cells=4, measured=3, mean_error=0.4)
    """
    total = sum(cells.values())
    measured = [error for name in cells for error in errors.get(name, [])]
    missing = total - len(measured)
    mean = (sum(measured) + missing * WORST) / total if total else 0.0
    return Score(total, len(measured), round(mean, 6))


def fitted(values: Any) -> set[str]:
    """The entries that a chip description names as having fixed a parameter."""
    if isinstance(values, dict):
        own = values.get("fit", [])
        names = set(own) if isinstance(own, list) else set()
        return names.union(*(fitted(inner) for inner in values.values()))
    return set()
