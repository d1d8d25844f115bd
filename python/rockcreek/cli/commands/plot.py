"""`rck plot`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from rockcreek import description as descriptions
from rockcreek.cli.common import check_output_file, write_output_file
from rockcreek.errors import InputError, NotFoundError, OutputError, RockcreekError
from rockcreek.results.die import METRICS, draw, values
from rockcreek.results.differences import load_result

_FROM_RUN = "make one with `rck run --messages --json FILE`"


@click.group()
def plot() -> None:
    """Draw a picture (PNG or SVG).

    Example: rck plot chip --out chip.svg
    """


@plot.command(
    epilog="""Example:

\b
  rck plot chip --out chip.svg
"""
)
@click.option("--out", required=True, metavar="FILE", help="PNG or SVG, by its name.")
@click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
@click.argument("name", default="scc", metavar="[FILE|PRESET]")
def chip(name: str, out: str, force: bool) -> int:
    """Draw a chip: tiles, cores, routers, memory controllers."""
    _check(out, force=force)
    from rockcreek.plot.chip import save

    _draw(out, lambda: save(descriptions.load(name), out))
    return 0


@plot.command(
    epilog="""Example:

\b
  rck run -n 8 --messages --json r.json prog
  rck plot messages r.json --out messages.png
"""
)
@click.option("--out", required=True, metavar="FILE", help="PNG or SVG, by its name.")
@click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
@click.argument("result", metavar="RESULT.json")
def messages(result: str, out: str, force: bool) -> int:
    """Draw who sent how much to whom, from the JSON of `rck run --messages`."""
    seen, title = _messages_of(result)
    _check(out, force=force)
    from rockcreek.plot.messages import save

    _draw(out, lambda: save(seen, out, title=title))
    return 0


@plot.command(
    epilog="""Example:

\b
  rck run -n 48 --json r.json prog
  rck plot die r.json --metric waiting --out die.svg
"""
)
@click.option("--out", required=True, metavar="FILE.svg", help="The picture.")
@click.option(
    "--metric",
    type=click.Choice(list(METRICS)),
    default="ipc",
    help="What the colours tell.  [default: ipc]",
)
@click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
@click.argument("result", metavar="RESULT.json")
def die(result: str, out: str, metric: str, force: bool) -> int:
    """Draw the cores of a run in the colour of a metric; needs no matplotlib."""
    check_output_file(out, force=force)
    if not out.endswith(".svg"):
        raise click.BadParameter("the name must end in .svg", param_hint="--out")
    run = load_result(result)
    if metric == "energy" and "energy" not in run:
        raise InputError(
            f"{result}: holds no energy", path=result, hint="`rck run --power --json FILE` has it"
        )
    write_output_file(out, draw(run["cores"], values(run, metric), METRICS[metric]))
    return 0


def _messages_of(path: str) -> tuple[dict[str, Any], str]:
    try:
        found: Any = json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise NotFoundError(f"{path}: No such file or directory", path=path) from error
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: is no JSON", path=path, hint=_FROM_RUN) from error
    seen = found.get("messages") if isinstance(found, dict) else None
    if not isinstance(seen, dict):
        raise InputError(f"{path}: holds no messages", path=path, hint=_FROM_RUN)
    return seen, f"{found['program']['name']} on {seen['ues']} cores"


def _check(out: str, *, force: bool) -> None:
    try:
        import matplotlib  # noqa: F401 (asked here: a picture's own module loads it late)
    except ImportError as error:
        raise RockcreekError(
            f"pictures need {error.name}", hint="pip install 'rockcreek[plot]'"
        ) from error
    check_output_file(out, force=force)
    if not out.endswith((".png", ".svg")):
        raise click.BadParameter("the name must end in .png or .svg", param_hint="--out")


def _draw(out: str, save: Callable[[], None]) -> None:
    try:
        save()
    except OSError as error:
        raise OutputError(f"{out}: {error.strerror}", path=out) from error
