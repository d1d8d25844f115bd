"""What was measured on silicon: the tables in `experiments/published`, one file per publication.

An entry is a number, a list or a table of numbers (`value`), or a statement (`trend`). A value is
compared cell by cell; each cell has a label made of the keys or names along its way. A `bound` says
that a value was published as a limit: what is on its right side has no error. A `difference` is a
small difference x in %, of which 1 + x is compared: 0.2 % against 0.4 % is no error of 100 %.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rockcreek.errors import InputError
from rockcreek.repro.toml_reader import Reader, load


@dataclass(frozen=True)
class Published:
    """One published value or statement."""

    id: str
    quantity: str
    unit: str
    source: str  # key of docs/sources.bib
    where: str  # in that publication
    value: Any  # None for a statement
    rows: tuple[str, ...] = ()  # names of the outer list's items
    columns: tuple[str, ...] = ()  # names of the innermost list's items
    bound: str = ""  # "at least", "at most", or nothing
    difference: bool = False  # a small difference in %

    @property
    def is_trend(self) -> bool:
        return self.value is None

    def error(self, published: float, ours: float) -> float:
        """ours / published - 1, or 0 on the right side of a bound; 1 + x of a difference x."""
        if self.difference:
            return (100 + ours) / (100 + published) - 1
        error = ours / published - 1
        right = (self.bound == "at least" and error > 0) or (self.bound == "at most" and error < 0)
        return 0.0 if right else error

    def cells(self, value: Any = None) -> dict[str, float]:
        """Label and number of each cell, of the published value or of one of the same shape."""
        return dict(_flatten(self.value if value is None else value, self.rows, self.columns))


def _flatten(
    value: Any, rows: Sequence[str], columns: Sequence[str], path: tuple[str, ...] = ()
) -> Iterator[tuple[str, float]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flatten(inner, rows, columns, (*path, str(key)))
    elif isinstance(value, list | tuple):
        outer = any(isinstance(item, list | tuple) for item in value)
        names = rows if outer else columns
        for index, inner in enumerate(value):
            name = names[index] if index < len(names) else str(index)
            yield from _flatten(inner, rows, columns, (*path, name))
    elif value is not None:
        yield ", ".join(path), value


def load_all(experiments: Path) -> dict[str, Published]:
    """All entries by their id."""
    entries: dict[str, Published] = {}
    for path in sorted((experiments / "published").glob("*.toml")):
        for name, table in load(path).items():
            if name in entries:
                raise InputError(f"{path}: {name} stands in two tables", path=str(path))
            entries[name] = _entry(path, name, table)
    return entries


def _entry(path: Path, name: str, table: Any) -> Published:
    if not isinstance(table, dict):
        raise InputError(f"{path}: {name} is not a table", path=str(path))
    reader = Reader(path, table, f"{name}.")
    value = reader.any("value", None)
    trend = reader.text("trend", "")
    if (value is None) == (not trend):
        raise reader.error("give it either a value or a trend")
    entry = Published(
        id=name,
        quantity=trend or reader.text("quantity"),
        unit=reader.text("unit", "") if trend else reader.text("unit"),
        source=reader.text("source"),
        where=reader.text("where"),
        value=value,
        rows=tuple(reader.texts("rows")),
        columns=tuple(reader.texts("columns")),
        bound=reader.text("bound", ""),
        difference=reader.flag("difference"),
    )
    if entry.bound not in ("", "at least", "at most"):
        raise reader.error(f"bound: {entry.bound!r} is neither 'at least' nor 'at most'")
    if entry.difference and (entry.unit != "%" or entry.bound):
        raise reader.error("difference: its unit must be %, and it can have no bound")
    reader.text("note", "")
    reader.done()
    for label, cell in entry.cells().items():
        if isinstance(cell, bool) or not isinstance(cell, int | float) or not cell:
            raise reader.error(f"value: cell '{label}' is {cell!r}, not a number other than zero")
    return entry
