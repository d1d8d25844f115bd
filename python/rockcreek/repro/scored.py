"""The list that the score is over, `experiments/scored.toml`.

    [scored]                     id = number of cells that count
    [[left_out]]                 what does not count, with the kind of reason and the reason
    entries = ["id"]
    cells = "time"               only the cells of this column; without it, all
    kind = "arithmetic"
    why = "..."
    [[mark]]                     what a reader must know of entries that count
    entries = ["id"]
    kind = "chosen"
    why = "..."
    [before]                     the list before this one: id = number of cells
    [before_bounds]              limits that it gave to values: id = "at least"

An entry leaves the list only for one of the kinds of reasons below, whether it is met or missed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rockcreek.repro.published import Published
from rockcreek.repro.toml_reader import Reader, load

# Why something does not count. No other reason is accepted; none of these looks at our number.
KINDS = {
    "arithmetic": "follows from other published numbers",
    "estimate": "calculated in the publication, not measured",
    "undefined": "the publication does not define the quantity or its unit",
    "unpublished number": "a sum over a number of messages or rounds that was not published",
    "another system": "an abstract's figure of a system that is not here",
    "another age": "a program whose versions of that time and of today differ",
    "monitor": "counted by the study's own monitor, in its operating system",
    "elsewhere": "measured, in whole or in half, on another machine",
    "input": "given to the chip, the program or the run",
    "contradiction": "contradicts its own publication",
}
CHOSEN, NO_CHIP, KERNEL = "chosen", "no chip", "kernel"
MARKS = {
    CHOSEN: "a program, or an option of it, was chosen by this figure",
    NO_CHIP: "a simulation in the publication, too: no chip is needed",
    KERNEL: "the path of an interrupt or system call through another kernel",
}


@dataclass(frozen=True)
class LeftOut:
    """Cells of one entry that do not count."""

    entry: str
    column: str  # the last part of the cells' labels; empty: all cells
    kind: str
    why: str

    def names(self, label: str) -> bool:
        """Whether this cell is one of them."""
        return not self.column or label.rpartition(", ")[2] == self.column


@dataclass(frozen=True)
class ScoredList:
    """The cells that count for the score, those that do not, and marks of entries."""

    cells: Mapping[str, int]
    left_out: tuple[LeftOut, ...] = ()
    marks: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # of an entry: kind, why
    before: Mapping[str, int] = field(default_factory=dict)
    before_bounds: Mapping[str, str] = field(default_factory=dict)

    def why_not(self, entry: str, label: str) -> LeftOut | None:
        """Why a cell does not count; None if it does, or if the list does not name it."""
        return next(
            (item for item in self.left_out if item.entry == entry and item.names(label)), None
        )

    def counted(self, entry: Published) -> list[str]:
        """The labels of an entry's cells that count."""
        return [label for label in entry.cells() if self.why_not(entry.id, label) is None]


def load_scored(experiments: Path) -> ScoredList:
    """The list."""
    path = experiments / "scored.toml"
    reader = Reader(path, load(path))
    cells, before = (_counts(reader, name) for name in ("scored", "before"))
    bounds = reader.any("before_bounds", {})
    left_out = [item for table in reader.tables("left_out") for item in _left_out(table)]
    marks: dict[str, dict[str, str]] = {}
    for table in reader.tables("mark"):
        entries, kind, why = _reason(table, MARKS)
        for entry in entries:
            marks.setdefault(entry, {})[kind] = why
        table.done()
    reader.done()
    return ScoredList(cells, tuple(left_out), marks, before, bounds)


def _counts(reader: Reader, name: str) -> dict[str, int]:
    counts: dict[str, int] = reader.any(name, {})
    for entry, count in counts.items():
        if type(count) is not int or count < 1:
            raise reader.error(f"{name}.{entry}: {count!r} is not a number of cells")
    return counts


def _left_out(table: Reader) -> list[LeftOut]:
    column = table.text("cells", "")
    entries, kind, why = _reason(table, KINDS)
    table.done()
    return [LeftOut(entry, column, kind, why) for entry in entries]


def _reason(table: Reader, kinds: Mapping[str, str]) -> tuple[list[str], str, str]:
    """Entries, kind and words of a reason."""
    entries, kind, why = table.texts("entries"), table.text("kind"), table.text("why")
    if not entries:
        raise table.error("entries names none")
    if kind not in kinds:
        raise table.error(f"kind: {kind!r} is none of {', '.join(kinds)}")
    return entries, kind, why
