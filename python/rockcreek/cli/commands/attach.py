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

Requests: read, write, registers, set_register, mpb, set_mpb, crb, set_crb, stop, start, time,
activity. Prints the answer as JSON, with the instant at which the chip gave it.
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

    is_start = do == "start"
    modules = [text for text in values if is_start and text.startswith(_MODULE)]
    texts = dict(_pair(text) for text in values if text not in modules)
    request = {key: _value(key, text) for key, text in texts.items()}
    if is_start:
        _check_start(request)
    with Attached(path, wait_s=wait) as chip:
        if is_start:
            found = _start(chip, request["core"], texts, dict(map(_module, modules)))
        else:
            found = chip.ask(do, **request)
            del found["id"]
    click.echo(json.dumps(found))
    return 0


def _check_start(request: dict[str, int | str]) -> None:
    unknown = sorted(request.keys() - {"core", "image", "line"})
    if unknown:
        raise click.UsageError(
            f"start: there is no {unknown[0]}; there are core, image, line, module"
        )
    if not isinstance(request.setdefault("core", 0), int):
        raise click.UsageError(f"start: core={request['core']} is not the number of a core")


def _start(
    chip: Attached, core: int | str, texts: dict[str, str], modules: dict[str, str]
) -> Answer:
    """The files are read here: the run sees their bytes."""
    chip.start(int(core), texts.get("image"), line=texts.get("line", ""), modules=modules)
    return {"time_ps": chip.time_ps}


def _module(text: str) -> tuple[str, str]:
    """`module=FILE[=NAME]`: the name, and the file."""
    path, separator, name = text.removeprefix(_MODULE).partition("=")
    return name if separator else path, path


def _pair(text: str) -> tuple[str, str]:
    key, separator, value = text.partition("=")
    if not separator or not key.isidentifier() or key in ("do", "id"):
        raise click.UsageError(f"'{text}' is not of the form KEY=VALUE")
    return key, value


def _value(key: str, text: str) -> int | str:
    if key == "data":
        return text
    try:
        return int(text, 0)
    except ValueError:
        return text
