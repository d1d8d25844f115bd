"""Where all studies stand: their records beside the published tables, and the scores of that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from rockcreek import description
from rockcreek.formats.study import Cell, MeasuredStatement
from rockcreek.repro.comparison import MET
from rockcreek.repro.published import Published, load_all
from rockcreek.repro.record import Record, cells_of_record, load_record
from rockcreek.repro.score import WORST, Summary, fitted, marks_of, summary
from rockcreek.repro.scored import ScoredList, load_scored
from rockcreek.repro.study import load_study, study_ids
from rockcreek.repro.toml_reader import Reader, load


@dataclass(frozen=True)
class Standing:
    """All records with what is compared with them."""

    records: Mapping[str, Record]  # by study
    cells: Mapping[str, list[Cell]]  # by study
    known: Mapping[str, Published]
    listed: ScoredList
    fitted: set[str]
    why: Mapping[str, str]  # of what is not met, by entry or statement
    summary: Summary

    @property
    def scored_cells(self) -> list[Cell]:
        """The measured cells that count."""
        return _scored(self.cells, self.listed)

    @property
    def statements(self) -> list[tuple[str, MeasuredStatement]]:
        """Each statement with its study."""
        return [
            (name, item) for name, record in self.records.items() for item in record["statements"]
        ]

    def marks(self, entry: str) -> set[str]:
        """The marks of an entry."""
        return marks_of(entry, self.listed, self.fitted)


def standing(experiments: Path, records: Mapping[str, Record] | None = None) -> Standing:
    """The standing of the studies in this folder, from their records or from these."""
    known, listed = load_all(experiments), load_scored(experiments)
    studies = {name: load_study(experiments, name) for name in study_ids(experiments)}
    if records is None:
        found = {name: load_record(study.folder) for name, study in studies.items()}
        records = {name: record for name, record in found.items() if record is not None}
    before = _as_before(known, listed)
    cells, cells_before = (
        {
            name: cells_of_record(record, studies[name], tables)
            for name, record in sorted(records.items())
        }
        for tables in (known, before)
    )
    names = fitted(description.load("scc").values)
    old = [cell for found in cells_before.values() for cell in found]
    return Standing(
        records=dict(sorted(records.items())),
        cells=cells,
        known=known,
        listed=listed,
        fitted=names,
        why=_reasons(experiments),
        summary=summary(listed, _scored(cells, listed), old, names),
    )


def _scored(cells: Mapping[str, list[Cell]], listed: ScoredList) -> list[Cell]:
    """The measured cells that count."""
    return [
        cell
        for found in cells.values()
        for cell in found
        if cell["counts"] and cell["id"] in listed.cells and cell["error"] is not None
        and listed.why_not(cell["id"], cell["cell"]) is None
    ]  # fmt: skip


def _as_before(known: Mapping[str, Published], listed: ScoredList) -> dict[str, Published]:
    """The published tables as the list before read them."""
    bounds = listed.before_bounds
    return {
        name: replace(entry, bound=bounds.get(name, entry.bound), difference=False)
        for name, entry in known.items()
    }


def _reasons(experiments: Path) -> dict[str, str]:
    """Why something is not met, by entry or statement: the `[[missed]]` of `missed.toml`."""
    path = experiments / "missed.toml"
    if not path.is_file():
        return {}
    reader = Reader(path, load(path))
    reasons: dict[str, str] = {}
    for group in reader.tables("missed"):
        why = group.text("why")
        for name in group.texts("entries"):
            if name in reasons:
                raise group.error(f"entries: {name} has a reason already")
            reasons[name] = why
        group.done()
    reader.done()
    return reasons


def mean_error(cells: list[Cell]) -> float:
    """The mean error of measured cells, each at most 100 %."""
    errors = [min(abs(cell["error"]), WORST) for cell in cells if cell["error"] is not None]
    return sum(errors) / len(errors) if errors else 0.0


def met(cells: list[Cell]) -> int:
    """The number of these cells that are met."""
    return sum(cell["verdict"] == MET for cell in cells)
