"""`rck profile`."""

from __future__ import annotations

import json

import click

from rockcreek.cli.commands.run import CORES
from rockcreek.exit_codes import ExitCode
from rockcreek.outputs import Outputs


@click.command(
    epilog="""Examples:

\b
  rck run -n 16 --profile p.json prog        writes a profile
  rck profile p.json                         by cause, and the lines with most cycles
  rck profile --whole p.json                 with boot and start
  rck profile --cores 3 --lines 50 p.json
  rck profile p.json --speedscope s.json     for the viewer speedscope
  rck profile p.json --collapsed c.txt       for flame graphs
"""
)
@click.option("--cores", type=CORES, metavar="LIST", help="Of these cores only.")
@click.option("--lines", type=click.IntRange(1), default=20, help="Show so many source lines.")
@click.option("--whole", is_flag=True, help="Show the whole run, not only the region of interest.")
@click.option("--speedscope", metavar="FILE", help="Write it for speedscope.")
@click.option("--collapsed", metavar="FILE", help="Write collapsed stacks, with cycles.")
@click.option("--force", is_flag=True, help="Overwrite files that exist.")
@click.argument("profile", metavar="FILE")
def profile(
    profile: str,
    cores: list[int] | None,
    lines: int,
    whole: bool,
    speedscope: str | None,
    collapsed: str | None,
    force: bool,
) -> int:
    """Show on what a run spent its cycles."""
    from rockcreek.reading import profile as profiles
    from rockcreek.results import cycle_profile, profile_text

    found = profiles.load(profile)
    found = cycle_profile.select(found if whole else cycle_profile.of_region(found), cores)
    with Outputs({"speedscope": speedscope, "collapsed": collapsed}, force=force) as outputs:
        outputs.write("speedscope", lambda to: to.write(json.dumps(profile_text.speedscope(found))))
        outputs.write("collapsed", lambda to: to.write(profile_text.collapsed(found)))
    outputs.check()
    if speedscope is None and collapsed is None:
        click.echo(profile_text.describe(found, lines))
    return ExitCode.OK
