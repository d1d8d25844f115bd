"""One study from its folder to its result: compile, run, analyse, compare, write JSON and PNG.

The JSON's keys are described in docs/guide/repro.md.
"""

from __future__ import annotations

import datetime
import hashlib
import io
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, cast

from rockcreek import description as descriptions
from rockcreek._version import __version__
from rockcreek.errors import RockcreekError
from rockcreek.formats.common import Schema
from rockcreek.formats.study import Result
from rockcreek.outputs import write_whole
from rockcreek.reading import documents
from rockcreek.repro import runs
from rockcreek.repro.campaign import Campaign
from rockcreek.repro.checkout import SOURCES, commit
from rockcreek.repro.comparison import compare
from rockcreek.repro.findings import Findings, rounded
from rockcreek.repro.points import expand
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run
from rockcreek.repro.study import Study, check_against

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SCHEMA: Schema = {"name": "rockcreek-study", "version": 1}


@dataclass(frozen=True)
class Options:
    """The options with which studies are run."""

    out: Path
    quick: bool = False
    jobs: int = 1
    scheduler: str | None = None
    fresh: bool = False
    verify: bool = False
    quiet: bool = False


def reproduce(study: Study, known: Mapping[str, Published], options: Options) -> Result:
    """Run a study and write `OUT/ID/ID.json` and `.png` (`ID-quick` in the quick form)."""
    start = time.monotonic()
    check_against(study, known)
    if study.needs:
        study.needs.check(study.id)
    folder = options.out / study.id
    programs = {
        name: runs.build(program, folder / "bin") for name, program in study.programs.items()
    }
    binaries = {name: path.read_bytes() for name, path in programs.items()}
    preset = descriptions.load(study.chip)
    chip = descriptions.choose(preset, clocks=study.clocks)
    done = Campaign(
        study=study,
        points=expand(study, binaries, preset, quick=options.quick),
        programs=programs,
        chip=preset,
        folder=folder / "runs",
        jobs=options.jobs,
        scheduler=options.scheduler,
        fresh=options.fresh,
        verify=options.verify,
        quiet=options.quiet,
    ).execute()
    findings = study.module("analysis").analyse(done, chip)
    cells, statements = compare(study, findings, known, quick=options.quick)
    result: Result = {
        "schema": SCHEMA,
        "study": study.id,
        "title": study.title,
        "about": study.about,
        "quick": options.quick,
        "chip": {"name": chip.name, "title": chip.title, "sha256": chip.sha256},
        "programs": {name: hashlib.sha256(binary).hexdigest() for name, binary in binaries.items()},
        "runs": len(done),
        "simulated_ps": sum(run.time_ps for run in done),
        "instructions": sum(run.instructions for run in done),
        "cells": cells,
        "statements": statements,
        "tables": findings.tables,
        "data": rounded(findings.data),
        "host": {
            "wall_s": round(time.monotonic() - start, 3),
            "version": __version__,
            "commit": commit(study.folder, *SOURCES),
            "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
            "compiler": f"Clang of ziglang {metadata.version('ziglang')}",
        },
    }
    name = f"{study.id}-quick" if options.quick else study.id
    write_whole(folder / f"{name}.json", json.dumps(result, indent=1) + "\n", force=True)
    draw(study, findings, known, done, folder / f"{name}.png")
    return result


def draw(
    study: Study,
    findings: Findings,
    known: Mapping[str, Published],
    done: Sequence[Run],
    path: Path,
) -> bool:
    """The study's picture, if matplotlib is there (the extra `plot`)."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(9, 5), facecolor="white", layout="constrained")
    FigureCanvasAgg(figure)
    study.module("figure").draw(figure, findings, known, done)
    write_whole(path, png(figure), force=True)
    return True


def png(figure: Figure) -> bytes:
    """A picture without a date: the same data give the same bytes."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=110, metadata={"Software": None})
    return drawn.getvalue()


def load_result(path: Path) -> Result | None:
    """A result that was written before; None if there is none."""
    if not path.exists():
        return None
    result = documents.typed(documents.json(path), dict[str, object], str(path))
    if result.get("schema") != SCHEMA:
        raise RockcreekError(
            f"{path} has the schema {result.get('schema')}, not {SCHEMA}",
            hint="run the study again",
        )
    return cast("Result", result)
