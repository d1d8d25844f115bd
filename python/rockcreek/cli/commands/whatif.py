"""`rck whatif`."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Unpack

import click

from rockcreek import description as descriptions
from rockcreek.chip import Chip
from rockcreek.cli import rerun
from rockcreek.cli.common import say
from rockcreek.cli.given import Changes, RunParams
from rockcreek.description import Description
from rockcreek.errors import ReportedError, UsageError
from rockcreek.formats.result import Result
from rockcreek.units import parse_bytes

_CACHES = {"l1": ("l1i", "l1d"), "l2": ("l2",)}


@click.command(
    epilog="""Examples:

\b
  rck whatif r.json --mesh 1600               the mesh at 1600 MHz
  rck whatif r.json --l2 512K                 a larger L2
  rck whatif r.json --tiles 800 --json        for machines
  rck whatif r.json --set timing.memory.line_occupancy=100
  rck whatif r.json --chip my-chip.toml --result new.json

RUN.json names program, arguments, options and chip; program and chip must be there, unchanged.
Standard input is empty. Exit code: that of the new run, as `rck run` returns it.
"""
)
@click.option("--tiles", type=int, metavar="MHZ", help="Clock of the tiles.")
@click.option("--mesh", type=int, metavar="MHZ", help="Clock of the mesh.")
@click.option("--memory", type=int, metavar="MHZ", help="Data rate of the memory.")
@click.option("--l1", metavar="SIZE", help="Size of L1I and of L1D, with more ways: 32K.")
@click.option("--l2", metavar="SIZE", help="Size of L2: 512K.")
@click.option(
    "--set", "sets", multiple=True, metavar="KEY=VALUE", help="Any parameter of the chip (repeat)."
)
@click.option("--chip", metavar="FILE|PRESET", help="Another chip altogether.")
@click.option("--result", metavar="FILE", help="Write the new run's result, too.")
@click.option("--force", is_flag=True, help="Overwrite a file that exists.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.argument("run", metavar="RUN.json")
def whatif(
    run: str, result: str | None, force: bool, as_json: bool, **given: Unpack[Changes]
) -> int:
    """Run the program of a result again on a changed chip, and compare.

    The new run has the same arguments, cores and options, but writes none of the files that the
    first one wrote. What is printed is what `rck compare` prints: the old run is a, the new one b.
    """
    from rockcreek.outputs import Output
    from rockcreek.reading import result as results
    from rockcreek.results import comparison

    old = results.load_run(run)
    command, folder = rerun.command(old, run)
    params = rerun.params(command, run)
    chip = _changed(rerun.first_chip(old, params, folder, run), old, given)
    rerun.check_program(old, params, folder, run)
    with tempfile.TemporaryDirectory(prefix="rck-whatif-") as scratch:
        new_path = _again(params, chip, Path(scratch), folder)
        new = results.load_run(new_path)
        if result is not None:
            with Output(result, force=force) as output:
                output.write(Path(new_path).read_bytes())
    told = comparison.compare(old, new)
    changes = dict(_changes(given))
    if as_json:
        click.echo(json.dumps({**told.to_dict(), "changes": changes}, indent=2))
    else:
        listed = ", ".join(f"{key} {value}" for key, value in changes.items())
        click.echo(f"{old['program']['name']} with {listed}: a is {run}, b the new run")
        for line in comparison.tell(told):
            click.echo(line)
    return int(new["exit_code"])


def _changes(given: Changes) -> Iterator[tuple[str, int | str]]:
    named = {
        "chip": given["chip"],
        "tiles": given["tiles"],
        "mesh": given["mesh"],
        "memory": given["memory"],
        "l1": given["l1"],
        "l2": given["l2"],
    }
    yield from ((name, value) for name, value in named.items() if value is not None)
    for text in given["sets"]:
        key, separator, value = text.partition("=")
        if not separator or not key or not value:
            raise click.BadParameter(f"'{text}' is not of the form KEY=VALUE", param_hint="--set")
        yield key.strip(), value.strip()


def _changed(chip: Description, old: Result, given: Changes) -> Description:
    """The chip of the new run; its clocks and jitter are those of the first one, if not changed."""
    asked = [given["tiles"], given["mesh"], given["memory"]]
    values: dict[str, int | str] = {}
    for name, size in (("l1", given["l1"]), ("l2", given["l2"])):
        if size is not None:
            values.update(_resized(chip, _CACHES[name], parse_bytes(size)))
    named = {"chip", "tiles", "mesh", "memory", *_CACHES}
    values |= {key: value for key, value in _changes(given) if key not in named}
    if not values and asked == [None] * 3 and given["chip"] is None:
        raise UsageError(
            "whatif: nothing is to change", hint="for example --mesh 1600, --l2 512K or --tiles 800"
        )
    if given["chip"] is not None:
        chip = descriptions.load(given["chip"])
    if values:
        chip = chip.with_values(values)
    usual = (chip.clocks if given["chip"] is not None else old["chip"]["clocks"]).split("/")
    clocks = "/".join(str(new or was) for new, was in zip(asked, usual, strict=True))
    jitter = old["chip"].get("jitter")
    # A table `setup` of the description's own says both, unless they are to change.
    chip = chip.set_up(
        clocks=None if clocks == chip.clocks else clocks,
        jitter=None if jitter == chip.jitter else jitter,
    )
    # Mistakes are named here, by the description that is the user's own.
    return Chip(chip).description


def _resized(chip: Description, caches: Sequence[str], size: int) -> Iterator[tuple[str, int]]:
    """Caches of another size; L1 gets more ways, for a way is a page at most."""
    for name in caches:
        yield f"cache.{name}_size", size
        if name != "l2":
            known = chip.values["cache"]
            was, ways = (int(known[f"{name}_{what}"]["value"]) for what in ("size", "ways"))
            yield f"cache.{name}_ways", max(1, size * ways // was)


def _again(params: RunParams, chip: Description, scratch: Path, folder: Path) -> str:
    """Runs `rck run` anew in the folder of the first run; where its result is."""
    from rockcreek.outputs import write_whole

    described, result = scratch / "chip.toml", scratch / "result.json"
    write_whole(described, chip.text)
    options = list(rerun.options(params))
    new = ["--chip", str(described), "--json", str(result), "--quiet"]
    done = subprocess.run(
        [sys.executable, "-m", "rockcreek", "run", *options, *new, params["program"],
         *params["arguments"]],
        cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
        check=False,
    )  # fmt: skip
    told = done.stderr.strip()
    if not result.is_file():
        raise ReportedError(told.removeprefix("rck: ") or "the run failed", done.returncode)
    if told and done.returncode:
        say(told)
    return str(result)
