"""`docs/fidelity/list.md`: what the score is over, what it leaves out and why, what is marked."""

from __future__ import annotations

from collections.abc import Iterable

from rockcreek.formats.study import Cell
from rockcreek.repro.pages.report import number
from rockcreek.repro.pages.study_page import LEFT_OUT, LETTERS, table
from rockcreek.repro.scored import KINDS, MARKS
from rockcreek.repro.standing import Standing

_HEAD = """\
# The list: which published numbers count

This page is generated from `experiments/scored.toml` and the published tables.

An entry is a number or a table of numbers of one publication. It leaves the list only for one of
the kinds of reasons below, none of which looks at our number. A shorter list is no gain: the score
on the list before stands on the [overview](../{overview}).
"""
_MARKS = """\
## Marks

| mark | meaning |
| --- | --- |
"""
_FITTED = "a parameter of the chip was fitted to it (`fit` in `machine/presets/scc.toml`)"
_LEFT_OUT = "does not count, or counts on another study's page"
_SHOWN_VALUES = 6


def list_page(here: Standing, overview: str = "fidelity.md") -> str:
    """The page as text; `overview` is the name of the page above it."""
    lines = [
        _HEAD.format(overview=overview),
        *_marks(here),
        *_not_measured(here),
        *_left_out(here),
        *_counted(here),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _marks(here: Standing) -> list[str]:
    meanings = {LEFT_OUT: _LEFT_OUT} | {
        letter: MARKS.get(mark, _FITTED) for mark, letter in LETTERS.items()
    }
    lines = [_MARKS.rstrip(), *(f"| {mark} | {meanings[mark]} |" for mark in sorted(meanings)), ""]
    reasons: dict[tuple[str, str], list[str]] = {}
    for entry, marks in here.listed.marks.items():
        for kind, why in marks.items():
            reasons.setdefault((kind, why), []).append(entry)
    rows = [[LETTERS[kind], ", ".join(names), why] for (kind, why), names in reasons.items()]
    rows.append(["f", ", ".join(sorted(here.fitted & set(here.listed.cells))), _FITTED])
    return [*lines, *table(["mark", "entries", "why"], rows, words=3)]


def _not_measured(here: Standing) -> list[str]:
    measured = {cell["id"] for cell in here.scored_cells}
    rows = [_entry(name, here) for name in here.listed.cells if name not in measured]
    head = ["entry", "what", "cells", "published", "unit", "source"]
    return ["## Not measured yet\n", "Each cell counts as 100 % error.\n", *table(head, rows, 2)]


def _entry(name: str, here: Standing) -> list[str]:
    entry, count = here.known[name], here.listed.cells[name]
    labels = here.listed.counted(entry)
    values = [number(entry.cells()[label]) for label in labels]
    more = " ..." if len(values) > _SHOWN_VALUES else ""
    shown = ", ".join(values[:_SHOWN_VALUES]) + more
    return [name, entry.quantity, str(count), shown, entry.unit, f"{entry.source}, {entry.where}"]


def _left_out(here: Standing) -> list[str]:
    lines = ["## What does not count\n"]
    for kind, meaning in KINDS.items():
        items = [item for item in here.listed.left_out if item.kind == kind]
        rows = [
            [
                f"{item.entry}, {item.column}" if item.column else item.entry,
                here.known[item.entry].quantity,
                item.why,
            ]
            for item in items
        ]
        lines += [f"### {kind.capitalize()}: {meaning}\n"]
        lines += table(["entry", "what", "why"], rows, words=3)
    return lines


def _counted(here: Standing) -> list[str]:
    study_of = {cell["id"]: name for name, cells in here.cells.items() for cell in _own(cells)}
    rows = []
    for name, count in here.listed.cells.items():
        study = study_of.get(name)
        marks = ", ".join(LETTERS[mark] for mark in LETTERS if mark in here.marks(name))
        link = f"[{study}]({study}.md)" if study else "-"
        rows.append([name, here.known[name].quantity, marks, link, str(count)])
    head = ["entry", "what", "marks", "study", "cells"]
    return ["## What counts\n", *table(head, rows, words=4)]


def _own(cells: Iterable[Cell]) -> list[Cell]:
    """The cells whose score is taken from this study."""
    return [cell for cell in cells if cell["counts"]]
