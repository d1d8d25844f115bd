"""`rck plot`."""

from __future__ import annotations

import click

from rockcreek import description as descriptions
from rockcreek.cli.common import Duration
from rockcreek.errors import InputError, RockcreekError
from rockcreek.formats.result import Result
from rockcreek.formats.rows import Run
from rockcreek.outputs import Output, write_whole
from rockcreek.pictures import die as dies
from rockcreek.pictures import metrics
from rockcreek.pictures import timeline as timelines
from rockcreek.pictures.metrics import ENERGIES, METRICS
from rockcreek.pictures.svg import THEMES
from rockcreek.reading import tables
from rockcreek.reading.result import load_run
from rockcreek.results import rows

_OUT = click.option("--out", required=True, metavar="FILE", help="PNG or SVG, by its name.")
_OUT_SVG = click.option("--out", required=True, metavar="FILE.svg", help="The picture.")
_FORCE = click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
_METRIC = click.option(
    "--metric",
    type=click.Choice(list(METRICS)),
    default="ipc",
    help="The number shown by the colours.  [default: ipc]",
)
_THEME = click.option(
    "--theme",
    type=click.Choice(THEMES[1:]),
    default="light",
    help="Light or dark ground.  [default: light]",
)
_THEME_SVG = click.option(
    "--theme",
    type=click.Choice(THEMES),
    default="auto",
    help="Ground: auto follows the reader's browser.  [default: auto]",
)
_RUNS = click.argument("runs", nargs=-1, required=True, metavar="RUN.json|RUNS.parquet...")


@click.group()
def plot() -> None:
    """Draw a picture (PNG or SVG), light or dark, in colours for any colour vision.

    Example: rck plot chip --out chip.svg
    """


@plot.command(epilog="Example:\n\n\b\n  rck plot chip --out chip.svg\n")
@_OUT
@_THEME
@_FORCE
@click.argument("name", default="scc", metavar="[FILE|PRESET]")
def chip(name: str, out: str, theme: str, force: bool) -> int:
    """Draw a chip: tiles, cores, routers, memory controllers."""
    from rockcreek.plot.chip import save

    with _picture(out, force=force) as to:
        save(descriptions.load(name), to, theme)
    return 0


@plot.command(
    epilog="""Example:

\b
  rck run -n 8 --messages --json r.json prog
  rck plot messages r.json --out messages.png
"""
)
@_OUT
@_THEME
@_FORCE
@click.argument("result", metavar="RESULT.json")
def messages(result: str, out: str, theme: str, force: bool) -> int:
    """Draw who sent how much to whom, from the JSON of `rck run --messages`."""
    run = load_run(result)
    found = run.get("messages")
    if found is None:
        raise InputError(
            f"{result}: holds no messages",
            path=result,
            hint="make one with `rck run --messages --json FILE`",
        )
    title = f"{run['program']['name']} on {found['ues']} cores"
    from rockcreek.plot.messages import save

    with _picture(out, force=force) as to:
        save(found, to, title=title, theme=theme)
    return 0


@plot.command(
    epilog="""Examples:

\b
  rck run -n 48 --sample 100us --json r.json prog
  rck plot die r.json --metric waiting --out die.svg
  rck plot die r.json --at 2ms --out die.svg           what was between two samples
  rck plot die r.json --animate --out die.svg          all of them, one after the other
"""
)
@_OUT_SVG
@_METRIC
@click.option(
    "--at",
    type=Duration(),
    metavar="T",
    help="The interval at this simulated time, not the whole run.",
)
@click.option("--animate", is_flag=True, help="Draw all intervals one after the other, in a loop.")
@_THEME_SVG
@_FORCE
@click.argument("result", metavar="RESULT.json")
def die(
    result: str, out: str, metric: str, at: int | None, animate: bool, theme: str, force: bool
) -> int:
    """Draw cores in the colour of a metric, links by their traffic; needs no matplotlib."""
    if at is not None and animate:
        raise click.UsageError("--at is one moment, --animate all of them: choose one")
    run = _for_svg(result, out, metric)
    if at is None and not animate:
        return _write(out, force, dies.draw(run, metric, theme=theme))
    found = metrics.moments(run, metric)
    if not found:
        raise InputError(
            f"{result}: holds no samples",
            path=result,
            hint="`rck run --sample 100us --json FILE` has them",
        )
    if animate:
        return _write(out, force, dies.animate(run, metric, found, theme=theme))
    return _write(out, force, dies.draw(run, metric, at=metrics.at(found, at or 0), theme=theme))


@plot.command(
    epilog="""Example:

\b
  rck run -n 48 --power --sample 100us --json r.json prog
  rck plot timeline r.json --metric waiting --out timeline.svg
"""
)
@_OUT_SVG
@_METRIC
@_THEME_SVG
@_FORCE
@click.argument("result", metavar="RESULT.json")
def timeline(result: str, out: str, metric: str, theme: str, force: bool) -> int:
    """Draw a row for each core over time, marks and power; needs no matplotlib."""
    return _write(out, force, timelines.draw(_for_svg(result, out, metric), metric, theme=theme))


@plot.command(
    epilog="""Examples:

\b
  rck plot speedup n1.json n2.json n4.json --out speedup.png
  rck plot speedup out/plan/runs.parquet --out speedup.svg    of `rck sweep`
"""
)
@_OUT
@_THEME
@_FORCE
@_RUNS
def speedup(runs: tuple[str, ...], out: str, theme: str, force: bool) -> int:
    """Draw how many times faster programs are on more cores."""
    from rockcreek.plot.curves import save_speedup

    with _picture(out, force=force) as to:
        save_speedup(_rows(runs), to, theme)
    return 0


@plot.command(
    epilog="""Example:

\b
  rck plot energy n1.json n2.json n4.json --out energy.png    of `rck run --power`
"""
)
@_OUT
@_THEME
@_FORCE
@_RUNS
def energy(runs: tuple[str, ...], out: str, theme: str, force: bool) -> int:
    """Draw energy and energy-delay product against cores, or against the clock."""
    from rockcreek.plot.curves import save_energy

    with _picture(out, force=force) as to:
        save_energy(_rows(runs), to, theme)
    return 0


@plot.command(
    epilog="""Example:

\b
  rck plot roofline n1.json n48.json --out roofline.png
"""
)
@_OUT
@_THEME
@click.option(
    "--chip", default="scc", metavar="FILE|PRESET", help="The chip with the roofs.  [default: scc]"
)
@_FORCE
@_RUNS
def roofline(runs: tuple[str, ...], out: str, theme: str, chip: str, force: bool) -> int:
    """Draw flop/s against operations a byte of memory traffic, below the chip's roofs."""
    from rockcreek.plot.roofline import save

    found = _rows(runs)
    clocks = {row["clocks"] for row in found}
    if len(clocks) > 1:
        raise InputError(
            f"runs with clocks {' and '.join(sorted(clocks))} have different roofs",
            path=runs[0],
            hint="draw them one by one",
        )
    described = descriptions.choose(chip)
    if clocks != {described.clocks}:
        described = descriptions.choose(chip, clocks=clocks.pop())
    with _picture(out, force=force) as to:
        save(found, described, to, theme)
    return 0


@plot.command(
    epilog="""Examples:

\b
  rck plot search search.jsonl --out search.png       of `rck plan --trace search.jsonl`
  rck plot search n48.jsonl --beside n1.jsonl --out search.svg
"""
)
@_OUT
@_THEME
@click.option("--beside", metavar="TRACE", help="Colour the states that this search expanded, too.")
@_FORCE
@click.argument("trace", metavar="TRACE.jsonl")
def search(trace: str, beside: str | None, out: str, theme: str, force: bool) -> int:
    """Draw a search of `rck plan`: open lists and h_add of the ranks over time."""
    from rockcreek.planning import records
    from rockcreek.plot.search import save

    found = records.read(trace)
    other = records.read(beside) if beside else []
    with _picture(out, force=force) as to:
        save(found, other, to, theme)
    return 0


def _rows(paths: tuple[str, ...]) -> list[Run]:
    """The runs of these files: results, and tables of sweeps."""
    found: list[Run] = []
    for path in paths:
        found += tables.runs(path) if path.endswith(".parquet") else [rows.of_run(load_run(path))]
    # Of a sweep, those that could not be run.
    return [row for row in found if row.get("time_s")]


def _for_svg(result: str, out: str, metric: str) -> Result:
    if not out.endswith(".svg"):
        raise click.BadParameter("the name must end in .svg", param_hint="--out")
    run = load_run(result)
    if metric in ENERGIES and "energy" not in run:
        raise InputError(
            f"{result}: holds no energy", path=result, hint="`rck run --power --json FILE` has it"
        )
    return run


def _write(out: str, force: bool, text: str) -> int:
    write_whole(out, text, force=force)
    return 0


def _picture(out: str, *, force: bool) -> Output:
    """The output file for a picture by matplotlib; an error if matplotlib is missing."""
    try:
        import matplotlib  # noqa: F401 (asked here: a picture's own module loads it late)
    except ImportError as error:
        raise RockcreekError(
            f"pictures need {error.name}", hint="pip install 'rockcreek[plot]'"
        ) from error
    if not out.endswith((".png", ".svg")):
        raise click.BadParameter("the name must end in .png or .svg", param_hint="--out")
    return Output(out, force=force)
