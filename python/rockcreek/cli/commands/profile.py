"""`rck profile`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from rockcreek.cli.commands.run import CORES
from rockcreek.cli.common import check_output_file
from rockcreek.errors import OutputError
from rockcreek.exit_codes import ExitCode


@click.command(
    epilog="""Examples:

\b
  rck run -n 16 --profile p.json prog        writes a profile
  rck profile p.json                         by cause, and the lines with most cycles
  rck profile --cores 3 --lines 50 p.json
  rck profile p.json --speedscope s.json     for the viewer speedscope
  rck profile p.json --collapsed c.txt       for flame graphs
"""
)
@click.option("--cores", type=CORES, metavar="LIST", help="Of these cores only.")
@click.option("--lines", type=click.IntRange(1), default=20, help="Show so many source lines.")
@click.option("--speedscope", metavar="FILE", help="Write it for speedscope.")
@click.option("--collapsed", metavar="FILE", help="Write collapsed stacks, with cycles.")
@click.option("--force", is_flag=True, help="Overwrite files that exist.")
@click.argument("profile", metavar="FILE")
def profile(
    profile: str,
    cores: list[int] | None,
    lines: int,
    speedscope: str | None,
    collapsed: str | None,
    force: bool,
) -> int:
    """Tell where the cycles of a run went."""
    from rockcreek.results import cycle_profile, profile_text

    found = cycle_profile.select(cycle_profile.load(profile), cores)
    for path in (speedscope, collapsed):
        if path is not None:
            check_output_file(path, force=force)
    if speedscope is not None:
        _write(speedscope, json.dumps(profile_text.speedscope(found)))
    if collapsed is not None:
        _write(collapsed, profile_text.collapsed(found))
    if speedscope is None and collapsed is None:
        click.echo(profile_text.describe(found, lines))
    return ExitCode.OK


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise OutputError(f"{path}: {error.strerror}", path=path) from error
