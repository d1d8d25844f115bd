"""`rck last-write`."""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from rockcreek.cli import rerun
from rockcreek.cli.common import Duration, say
from rockcreek.cli.given import RunParams
from rockcreek.errors import UsageError
from rockcreek.exit_codes import ExitCode
from rockcreek.formats.result import Result
from rockcreek.printable import nearest
from rockcreek.software.image import Image
from rockcreek.units import format_ps

NONE = 1
_SCHEMA = {"name": "rockcreek-last-write", "version": 1}


@click.command(
    epilog="""Examples:

\b
  rck run -n 48 --json r.json prog, then: rck last-write r.json counter
  rck last-write r.json counter --before 3.2ms      and so on, backwards
  rck last-write r.json table --offset 40 --last 5  its last five writes
  rck last-write r.json 0x8052a40 --core 7 --json

Exit code: 0 if there was a write, 1 if there was none.
"""
)
@click.option(
    "--bytes",
    "length",
    type=click.IntRange(1, 4096),
    default=4,
    help="How many bytes.  [default: 4]",
)
@click.option("--offset", type=click.IntRange(0), default=0, help="Begin so many bytes after WHAT.")
@click.option("--core", type=click.IntRange(0), help="Writes of this core alone.")
@click.option("--before", type=Duration(), metavar="T", help="Writes before simulated time T.")
@click.option("--last", type=click.IntRange(1), default=1, metavar="N", help="The last N writes.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.argument("run", metavar="RUN.json")
@click.argument("what", metavar="WHAT")
def last_write(
    run: str, what: str, length: int, offset: int, core: int | None, before: int | None, last: int,
    as_json: bool,
) -> int:  # fmt: skip
    """Report the last write of a variable, by an exact repetition of the run under watchpoints.

    WHAT is a variable of the program, or an address as the cores see it. Writes of all cores at
    that address count, each core's own copy and shared memory alike. Writes of file services, and
    those at another address of shared memory, do not.
    """
    from rockcreek import resources
    from rockcreek.backwards import last_write as backwards
    from rockcreek.outputs import write_whole
    from rockcreek.reading import result as results
    from rockcreek.software import image

    old = results.load_run(run)
    words, folder = rerun.command(old, run)
    params = rerun.params(words, run)
    chip = rerun.first_chip(old, params, folder, run)
    rerun.check_program(old, params, folder, run)
    program = image.read(str(folder / params["program"]))
    address = _address(program, what) + offset
    wanted = backwards.Wanted(address, length, core, before, last)
    with tempfile.TemporaryDirectory(prefix="rck-last-write-") as scratch:
        described, result = Path(scratch) / "chip.toml", Path(scratch) / "result.json"
        write_whole(described, chip.text)
        again = [*rerun.options(params), "--chip", str(described), "--json", str(result), "-q"]
        if (until := _until(old, params, before)) is not None:
            again += ["--until", f"{until}ps"]
        again += [params["program"], *params["arguments"]]
        images = [program, image.read(str(resources.kernel_path()))]
        found, count = backwards.find(again, folder, images, wanted)
        if result.is_file() and results.load_run(str(result))["state_hash"] != old["state_hash"]:
            say(f"rck: the run was not repeated exactly: {run} had other input, or another rck")
    if as_json:
        writes = [asdict(one) for one in found]
        document = {"schema": _SCHEMA, "address": address, "writes": writes, "count": count}
        click.echo(json.dumps(document, indent=1))
    else:
        _tell(found, count, what, chip.core_label, before)
    return ExitCode.OK if found else NONE


def _until(old: Result, params: RunParams, before: int | None) -> int | None:
    """The earliest of `before`, `--until`, and the end of a run that did not exit; else None."""
    ends = [before, params["until"], None if old["end"] == "exited" else old["time_ps"]]
    return min((end for end in ends if end is not None), default=None)


def _address(program: Image, what: str) -> int:
    try:
        return int(what, 0)
    except ValueError:
        pass
    if what not in program.symbols:
        raise UsageError(
            f"{program.name} has no variable '{what}'{nearest(what, list(program.symbols))}",
            hint="name a variable of the program, or an address such as 0x8052a40",
        )
    return program.symbols[what]


def _tell(found: list[Any], count: int, what: str, label: Any, before: int | None) -> None:
    until = "" if before is None else f" before {format_ps(before)}"
    if not found:
        click.echo(f"{what}: nobody wrote it{until}")
        return
    for one in found:
        value = bytes.fromhex(one.value)
        number = f" = {int.from_bytes(value, 'little')}" if len(value) in (1, 2, 4, 8) else ""
        click.echo(
            f"{what}: core {label(one.core)} at {format_ps(one.time_ps)} ({one.time_ps} ps), in"
            f" {one.place}: {one.value}{number}"
        )
    click.echo(f"{count} {'write' if count == 1 else 'writes'}{until}")
