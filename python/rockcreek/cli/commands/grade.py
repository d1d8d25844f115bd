"""`rck grade`."""

from __future__ import annotations

import json
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rockcreek import printable
from rockcreek.cli.common import Duration, Size, say
from rockcreek.exit_codes import ExitCode
from rockcreek.units import PS_PER_SECOND

if TYPE_CHECKING:
    from rockcreek.grading.grade import Grade

_SCHEMA = {"name": "rockcreek-grades", "version": 1}
_WIDEST = 60


@click.command(
    epilog="""Examples:

\b
  rck grade submissions -n 8
  rck grade submissions -n 48 --cc "-O2 -fopenmp" --arguments "100 3" --timeout 30s
  rck grade submissions -n 8 --jobs 4
  rck grade submissions -n 8 --expect right.txt --csv grades.csv

A submission is a folder with files of C or C++, or such a file. Exit code: 0 if all were graded,
whatever became of them. No makefile or script of a submission is run.
"""
)
@click.option("-n", "n", type=click.IntRange(1), default=8, help="Cores.  [default: 8]")
@click.option("--cc", "flags", default="-O2 -lrcce", metavar="FLAGS", help="Flags of the compiler.")
@click.option("--arguments", default="", metavar="WORDS", help="Arguments of the programs.")
@click.option("--expect", metavar="FILE", help="What a right program prints on N cores.")
@click.option("--no-check", is_flag=True, help="Leave out the search for stale data and races.")
@click.option(
    "--timeout", type=Duration(), default="60s", help="Host time of each run.  [default: 60s]"
)
@click.option(
    "--memory-limit", type=Size(), default="2G", help="Memory of each run.  [default: 2G]"
)
@click.option(
    "--sandbox",
    type=click.Choice(["auto", "on", "off"]),
    default="auto",
    help="Confine compilers and runs: as far as the host can, or not without.  [default: auto]",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1),
    default=1,
    metavar="N",
    help="Submissions side by side.  [default: 1]",
)
@click.option("--out", default="out/grades", metavar="DIR", help="[default: out/grades]")
@click.option("--anew", is_flag=True, help="Grade all submissions again.")
@click.option("--csv", metavar="FILE", help="Write the table as CSV, too.")
@click.option("--force", is_flag=True, help="Overwrite a CSV file that exists.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.argument("folder", metavar="FOLDER")
def grade(
    folder: str, n: int, flags: str, arguments: str, expect: str | None, no_check: bool,
    timeout: int, memory_limit: int, sandbox: str, jobs: int, out: str, anew: bool, csv: str | None,
    force: bool, as_json: bool,
) -> int:  # fmt: skip
    """Build and run each submission of a folder, and print a table.

    For each: whether it compiles, how it ends on N cores (deadlocks and timeouts are ends), whether
    it prints what is expected, findings of `--check coherence`, simulated time, and the speed-up
    over one core. Submissions are built and run in a sandbox, with limits of time, memory and
    output each. A file OUT/NAME.json stays for each; the same command goes on where it was stopped.
    """
    from contextlib import closing, nullcontext

    from rockcreek.campaigns.table import Table
    from rockcreek.grading import grade as grading
    from rockcreek.grading import kept, many, submissions
    from rockcreek.outputs import Output
    from rockcreek.reading import documents

    terms = grading.Terms(
        n=n, flags=tuple(shlex.split(flags)), arguments=tuple(shlex.split(arguments)),
        check=not no_check, timeout_s=max(1, timeout // PS_PER_SECOND), memory=memory_limit,
        sandbox=sandbox, expected=None if expect is None else documents.data(expect),
    )  # fmt: skip
    if not terms.guards_paths and sandbox == "auto":
        say("rck: sandbox: this kernel has no Landlock: paths are not guarded")
    found = submissions.read(folder)
    store = kept.Store(Path(out), terms)
    grades = [known for one in found if not anew and (known := store.load(one)) is not None]
    kept_names = {known.name for known in grades}
    left = [one for one in found if one.name not in kept_names]
    with nullcontext() if csv is None else Output(csv, force=force) as table:
        try:
            with closing(many.grade(left, terms, jobs)) as coming:
                for new in coming:
                    store.save(new)
                    grades.append(new)
                    say(f"rck: {len(grades)} of {len(found)}: {_row(new)}")
        finally:
            grades.sort(key=lambda one: one.name)
            # Also of those that are done when the user ends it.
            rows = [{**asdict(one), "notes": "; ".join(one.notes)} for one in grades]
            if as_json:
                document = {"schema": _SCHEMA, "n": n, "grades": [asdict(g) for g in grades]}
                click.echo(json.dumps(document, indent=2))
            else:
                _tell(grades)
        if table is not None:
            table.write(Table(rows).to_csv())
    return ExitCode.OK


_HEADS = ("submission", "built", "end", "exit", "output", "findings", "ms", "speed-up", "notes")


def _cells(one: Grade) -> tuple[str, ...]:
    def shown(value: object) -> str:
        return "-" if value in (None, "") else str(value)

    ms = None if one.time_ps is None else f"{one.time_ps / 1e9:.3f}"
    speed_up = None if one.speed_up is None else f"{one.speed_up:.2f}"
    notes = printable.name("; ".join(one.notes))
    return (
        printable.name(one.name), "yes" if one.built else "no", shown(one.end),
        shown(one.exit_code), shown(one.output), shown(one.findings), shown(ms), shown(speed_up),
        notes if len(notes) <= _WIDEST else f"{notes[: _WIDEST - 3]}...",
    )  # fmt: skip


def _row(one: Grade) -> str:
    return "  ".join(_cells(one))


def _tell(grades: list[Grade]) -> None:
    rows = [_HEADS, *map(_cells, grades)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADS))]
    for row in rows:
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo(line.rstrip())
