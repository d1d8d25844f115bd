"""`rck linux top`: what the cores of a running chip do, again and again."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rockcreek.linux.meter import Load
    from rockcreek.socket_server.client import Attached

_FRESH_SCREEN = "\x1b[H\x1b[J"


@click.command(
    epilog="""Examples:

\b
  rck linux -n 48 --socket chip.sock        in one terminal
  rck linux top chip.sock                   in another one, until Ctrl-C
  rck linux top chip.sock --json load.json  one measurement

Ctrl-C ends it; the chip runs on.
"""
)
@click.option(
    "--every",
    type=click.FloatRange(min=0.1, max=3600),
    default=2.0,
    metavar="S",
    help="Host seconds of a measurement.  [default: 2]",
)
@click.option("--json", "json_path", metavar="FILE", help="Write one measurement as JSON.")
@click.option("--force", is_flag=True, help="Overwrite a file that exists.")
@click.argument("path", metavar="SOCKET")
def top(path: str, every: float, json_path: str | None, force: bool) -> int:
    """Show load, memory and packets of the cores of a chip that runs with --socket SOCKET.

    The load of a core is the share of its cycles in which it did not rest. Linux counts memory and
    the packets of mb0; the packets of the mesh are the core's requests. On a terminal the screen is
    drawn again after each measurement; elsewhere one measurement is printed.
    """
    from rockcreek.linux import screen
    from rockcreek.outputs import Output
    from rockcreek.socket_server.client import Attached

    output = None if json_path is None else Output(json_path, force=force)
    with Attached(path) as chip, suppress(KeyboardInterrupt):
        for load in _measurements(chip, every):
            if output is not None:
                with output:
                    output.write(f"{json.dumps(load, indent=1)}\n")
                break
            if not sys.stdout.isatty():
                click.echo("\n".join(screen.lines(load)))
                break
            click.echo(_FRESH_SCREEN + "\n".join(screen.lines(load)))
    return 0


def _measurements(chip: Attached, every_s: float) -> Iterator[Load]:
    """Until the run ends; a chip that time has not passed on is looked at later."""
    from rockcreek.linux.meter import Meter, address, between

    meter = Meter(chip, address())
    before = meter.look()
    while not chip.ended:
        time.sleep(every_s)
        after = meter.look()
        if after.time_ps > before.time_ps:
            yield between(before, after)
            before = after
