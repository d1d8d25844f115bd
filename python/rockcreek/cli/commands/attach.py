"""`rck attach`: one request to a running chip."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rockcreek.socket_server.client import Attached
    from rockcreek.socket_server.requests import Answer

_MODULE = "module="


@click.command(
    epilog="""Examples:

\b
  rck run -n 2 --socket chip.sock prog &
  rck attach chip.sock read address=0x82000000 length=16
  rck attach chip.sock write address=0x82000000 data=2a000000
  rck attach chip.sock registers core=1
  rck attach chip.sock crb tile=0 offset=0x100
  rck attach chip.sock stop core=5
  rck attach chip.sock start core=5 image=kernel.elf line="core={core}" module=a.elf module=b=root

Requests: read, write, registers, set_register, mpb, set_mpb, crb, set_crb, stop, start, time.
Prints the answer as JSON, with the instant at which the chip gave it.
"""
)
@click.option(
    "--wait", default=0.0, metavar="S", help="Wait up to S seconds for the socket.  [default: 0]"
)
@click.argument("path", metavar="SOCKET")
@click.argument("do", metavar="REQUEST")
@click.argument("values", nargs=-1, metavar="[KEY=VALUE]...")
def attach(path: str, do: str, values: tuple[str, ...], wait: float) -> int:
    """Ask the chip of `rck run --socket SOCKET`, or change it, while it runs."""
    from rockcreek.socket_server.client import Attached

    modules = dict(_module(text) for text in values if text.startswith(_MODULE))
    request = dict(_value(text) for text in values if not text.startswith(_MODULE))
    with Attached(path, wait_s=wait) as chip:
        if do == "start":
            found = _start(chip, request, modules)
        else:
            found = chip.ask(do, **request)
            del found["id"]
    click.echo(json.dumps(found))
    return 0


def _start(chip: Attached, request: dict[str, int | str], modules: dict[str, str]) -> Answer:
    """The files are read here: the run sees their bytes."""
    unknown = sorted(request.keys() - {"core", "image", "line"})
    if unknown:
        raise click.UsageError(
            f"start: there is no {unknown[0]}; there are core, image, line, module"
        )
    image = request.get("image")
    chip.start(
        int(request.get("core", 0)),
        None if image is None else str(image),
        line=str(request.get("line", "")),
        modules=modules,
    )
    return {"time_ps": chip.time_ps}


def _module(text: str) -> tuple[str, str]:
    """`module=FILE[=NAME]`: the name, and the file."""
    path, separator, name = text.removeprefix(_MODULE).partition("=")
    return name if separator else path, path


def _value(text: str) -> tuple[str, int | str]:
    key, separator, value = text.partition("=")
    if not separator or not key.isidentifier() or key in ("do", "id"):
        raise click.UsageError(f"'{text}' is not of the form KEY=VALUE")
    if key == "data":
        return key, value
    try:
        return key, int(value, 0)
    except ValueError:
        return key, value
