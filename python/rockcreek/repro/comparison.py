"""Ours against published: cell by cell for numbers, as a statement for trends."""

from __future__ import annotations

from collections.abc import Mapping

from rockcreek.errors import RockcreekError
from rockcreek.formats.study import Cell, Statement
from rockcreek.repro.findings import Findings, rounded
from rockcreek.repro.published import Published
from rockcreek.repro.study import Compare, Study

MET, MISSED = "met", "missed"
HOLDS, FAILS = "holds", "does not hold"
NOT_RUN = "not run"


def compare(
    study: Study, findings: Findings, known: Mapping[str, Published], *, quick: bool = False
) -> tuple[list[Cell], list[Statement]]:
    """Everything that the study's description names; what the analysis left out is `not run`.

    The quick form may leave cells out; the full form may not.
    """
    cells: list[Cell] = []
    statements: list[Statement] = []
    for item in study.compares:
        entry = known[item.published]
        if entry.is_trend:
            statements.append(_statement(entry, findings))
        else:
            value = findings.values.get(entry.id)
            ours = {} if value is None else entry.cells(rounded(value, 6))
            cells += cells_of(entry, ours, item)
    _check_names(study, findings)
    open_ends = [cell["id"] for cell in cells if cell["verdict"] == NOT_RUN]
    open_ends += [item["id"] for item in statements if item["verdict"] == NOT_RUN]
    if open_ends and not quick:
        raise RockcreekError(f"study {study.id}: the analysis gives no value for {open_ends[0]}")
    for text, answer in findings.checks.items():
        verdict = HOLDS if answer.holds else FAILS
        statements.append(
            {"id": "", "statement": text, "source": "", "where": "", "told": answer.told,
             "verdict": verdict}
        )  # fmt: skip
    return cells, statements


def cells_of(entry: Published, ours: Mapping[str, float], item: Compare) -> list[Cell]:
    """The compared cells of an entry; `ours` are our numbers by the cells' labels."""
    found = []
    for label, published in entry.cells().items():
        if item.columns and label.rpartition(", ")[2] not in item.columns:
            continue
        number = ours.get(label)
        error = None if number is None else round(entry.error(published, number), 6)
        verdict = NOT_RUN if error is None else MET if abs(error) <= item.within else MISSED
        found.append(
            Cell(
                id=entry.id,
                cell=label,
                quantity=entry.quantity,
                unit=f"{entry.unit}, {entry.bound}" if entry.bound else entry.unit,
                source=entry.source,
                where=entry.where,
                published=published,
                ours=number,
                error=error,
                within=item.within,
                counts=item.counts,
                verdict=verdict,
            )
        )
    return found


def _statement(entry: Published, findings: Findings) -> Statement:
    answer = findings.trends.get(entry.id)
    verdict = NOT_RUN if answer is None else HOLDS if answer.holds else FAILS
    told = "" if answer is None else answer.told
    return {
        "id": entry.id, "statement": entry.quantity, "source": entry.source, "where": entry.where,
        "told": told, "verdict": verdict,
    }  # fmt: skip


def _check_names(study: Study, findings: Findings) -> None:
    """An answer to a question that the description does not ask is a slip of one of them."""
    asked = {item.published for item in study.compares}
    for name in [*findings.values, *findings.trends]:
        if name not in asked:
            raise RockcreekError(
                f"study {study.id}: its analysis answers {name}",
                hint="name it in a [[compare]] of study.toml",
            )
