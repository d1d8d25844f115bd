"""`rck plot`."""

from __future__ import annotations

import click

from rockcreek import description as descriptions
from rockcreek.cli.common import check_output_file
from rockcreek.errors import OutputError, RockcreekError


@click.group()
def plot() -> None:
    """Draw a picture (PNG or SVG); needs matplotlib.

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
    try:
        import matplotlib  # noqa: F401 (asked here: the picture's own module loads it late)

        from rockcreek.plot.chip import save
    except ImportError as error:
        raise RockcreekError(
            f"pictures need {error.name}", hint="pip install rockcreek[plot]"
        ) from error
    check_output_file(out, force=force)
    if not out.endswith((".png", ".svg")):
        raise click.BadParameter("the name must end in .png or .svg", param_hint="--out")
    try:
        save(descriptions.load(name), out)
    except OSError as error:
        raise OutputError(f"{out}: {error.strerror}", path=out) from error
    return 0
