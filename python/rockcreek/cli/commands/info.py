"""`rck info`."""

from __future__ import annotations

from collections.abc import Iterator

import click

from rockcreek import description as descriptions
from rockcreek.chip import Chip
from rockcreek.description import Description


@click.command(
    epilog="""Examples:

\b
  rck info                 the real chip
  rck info my-chip.toml    a description of your own
  rck info --toml scc      the description itself, to copy and change
"""
)
@click.option("--toml", is_flag=True, help="Print the description's own text.")
@click.argument("chip", default="scc", metavar="[FILE|PRESET]")
def info(chip: str, toml: bool) -> int:
    """Describe a chip: its size, its units, and every parameter with unit and source.

    The description is checked as `rck run --chip` checks it; a mistake ends with exit code 78.
    """
    # A chip of it is made, as `rck run --chip` does: what that refuses is refused here, too.
    description = Chip(descriptions.load(chip)).description
    if toml:
        click.echo(description.text, nl=False)
        return 0
    click.echo(f"{description.name}: {description.title}")
    click.echo(
        f"{description.core_count} cores on {description.columns} x {description.rows} tiles, "
        f"{description.core_mhz} MHz"
    )
    click.echo()
    for line in _map(description):
        click.echo(line)
    click.echo()
    for key, number in descriptions.numbers(description.values):
        sources = ", ".join(number.get("source", []))
        click.echo(f"{key:34} {number['value']!s:>12} {number.get('unit', ''):14} {sources}")
    return 0


def _map(description: Description) -> Iterator[str]:
    """Core numbers tile by tile, north at the top, as the die is drawn."""
    for y in reversed(range(description.rows)):
        cells = []
        for x in range(description.columns):
            first = (y * description.columns + x) * description.cores_per_tile
            cores = range(first, first + description.cores_per_tile)
            units = [unit.name for unit in description.edge if (unit.x, unit.y) == (x, y)]
            cells.append(f"{' '.join(map(description.core_label, cores))} {'+'.join(units):7}")
        yield f"  y={y}  " + " | ".join(cells).rstrip()
