"""What a study's last full run measured: `measured.json` in the study's folder.

The pages are made of these records, so a page can be made anew, with another list or other limits,
without running anything; and each study's numbers say of which day and commit they are. A record
holds our numbers only: what was published, errors and verdicts come from the tables at hand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from rockcreek.errors import InputError, RockcreekError
from rockcreek.formats.common import Schema
from rockcreek.formats.study import Cell, Measured, Result
from rockcreek.outputs import write_whole
from rockcreek.repro.comparison import cells_of
from rockcreek.repro.published import Published
from rockcreek.repro.study import Program, Study

FILE = "measured.json"
SCHEMA: Schema = {"name": "rockcreek-measured", "version": 1}

Record = Measured


def of_result(result: Result, study: Study) -> Record:
    """The record of a study's result."""
    host = result["host"]
    if "date" not in host or "compiler" not in host:
        raise RockcreekError(
            f"the result of study {study.id} is of an earlier rck: it has no date and compiler",
            hint=f"`rck repro {study.id}` makes it anew; runs that are there are not run again",
        )
    return {
        "schema": SCHEMA,
        "study": result["study"],
        "title": result["title"],
        "about": result["about"],
        "runs": result["runs"],
        "simulated_ps": result["simulated_ps"],
        "instructions": result["instructions"],
        "tables": result["tables"],
        "date": host["date"],
        "commits": [host["commit"]],
        "compiler": host["compiler"],
        "chip": result["chip"]["title"],
        "programs": {
            name: {
                "sources": [_relative(path, study.folder) for path in program.sources],
                "flags": list(program.flags),
                "compiler": _compiler(program),
            }
            for name, program in study.programs.items()
        },
        "cells": [
            {"id": cell["id"], "cell": cell["cell"], "ours": cell["ours"]}
            for cell in result["cells"]
        ],
        "statements": [
            {
                "id": item["id"],
                "statement": item["statement"],
                "told": item["told"],
                "verdict": item["verdict"],
            }
            for item in result["statements"]
        ],
    }


def _compiler(program: Program) -> str:
    if program.ruby:
        return "rck ruby"
    if program.mpi:
        return "rck mpicxx" if program.cxx else "rck mpicc"
    return "rck c++" if program.cxx else "rck cc"


def _relative(path: Path, folder: Path) -> str:
    """A source as the study's description names it."""
    return path.as_posix().removeprefix(f"{folder.as_posix()}/")


def load_record(folder: Path) -> Record | None:
    """The record of the study in this folder; None if it has none."""
    path = folder / FILE
    if not path.is_file():
        return None
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(
            f"{path}: {error}", path=str(path), hint="take the file from the repository again"
        ) from error
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        hint = "run the study again, with --report"
        raise InputError(f"{path}: is not of the schema {SCHEMA}", path=str(path), hint=hint)
    return cast("Record", record)


def save_record(record: Record, folder: Path) -> None:
    """Write the record into the study's folder: all of it or nothing."""
    text = json.dumps(record, indent=1, ensure_ascii=False) + "\n"
    write_whole(folder / FILE, text, force=True)


def cells_of_record(record: Record, study: Study, known: Mapping[str, Published]) -> list[Cell]:
    """The record's numbers beside the published ones, as the study compares them."""
    ours: dict[str, dict[str, float]] = {}
    for cell in record["cells"]:
        if cell["ours"] is not None:
            ours.setdefault(cell["id"], {})[cell["cell"]] = cell["ours"]
    numbers = [item for item in study.compares if not known[item.published].is_trend]
    return [
        cell
        for item in numbers
        if item.published in ours
        for cell in cells_of(known[item.published], ours[item.published], item)
    ]


def commits(record: Record) -> str:
    """The commits of a record in words."""
    names: Sequence[str] = record["commits"]
    return names[0] if len(names) == 1 else f"one of {', '.join(names)}"
