"""`rck show`: what the chip in a snapshot holds."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import click

from rockcreek.cli.snapshot_arguments import (
    Number,
    address_of,
    core_option,
    nothing_there,
    open_chip,
    snapshot_argument,
    tile_option,
)
from rockcreek.errors import UsageError

_SHOW_EPILOG = """Examples:

\b
  rck run -n 2 --until 5ms --save s.rck prog
  rck show core s.rck --core 1
  rck show mem s.rck 0x8048000 64 --core 1
  rck show mem s.rck table --core 1      a symbol of the program
  rck show crb s.rck --tile 0 --json
"""

# More is a matter for a core file.
_MOST_BYTES = 1 << 24
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group(epilog=_SHOW_EPILOG)
def show() -> None:
    """Show the state of the chip in a snapshot."""


def _print(value: Any, as_json: bool, text: Callable[[], str]) -> None:
    click.echo(json.dumps(value, indent=2) if as_json else text())


def _word(value: object) -> str:
    """A register in hexadecimal, a state as it is called, a request, nothing as a dash."""
    if value is None:
        return "-"
    if isinstance(value, Mapping):
        return f"{'read' if value['read'] else 'write'} {value['unit']} + {value['offset']:#x}"
    return f"{value:#x}" if isinstance(value, int) else str(value)


@show.command("core")
@snapshot_argument
@core_option
@_json
def show_core(snapshot: str, core: int, as_json: bool) -> None:
    """Registers and state of a core."""
    from rockcreek.inspection import chip_state

    chip, _ = open_chip(snapshot, core=core)
    values = chip_state.core(chip, core)

    def text() -> str:
        plain = {name: value for name, value in values.items() if name != "x87"}
        rows = [f"{name:<13} {_word(value)}" for name, value in plain.items()]
        x87 = values["x87"]
        words = f"control={x87['control']:04x} status={x87['status']:04x} tags={x87['tags']:04x}"
        stack = [f"st{n:<11} {value}" for n, value in enumerate(x87["st"])]
        return "\n".join([*rows, f"{'x87':<13} {words}", *stack])

    _print(values, as_json, text)


@show.command("mem")
@snapshot_argument
@click.argument("address")
@click.argument("length", type=Number(), default=64)
@core_option
@click.option("--physical", is_flag=True, help="Behind the core's LUT, not its pages and caches.")
@_json
def show_mem(
    snapshot: str, address: str, length: int, core: int, physical: bool, as_json: bool
) -> None:
    """LENGTH bytes at ADDRESS as this core sees them, stale or not.  [default: 64]"""
    from rockcreek.inspection import chip_state

    chip, note = open_chip(snapshot, core=core)
    start = address_of(address, snapshot, note)
    read = chip.read_physical if physical else chip.read_linear
    if not 0 < length <= _MOST_BYTES:
        raise UsageError(f"{length} bytes are too many at once", hint=f"up to {_MOST_BYTES:,}")
    if start + length > 1 << 32:
        raise UsageError("there are no addresses beyond 0xffffffff", hint="ask for fewer bytes")
    data = read(core, start, length)
    if data is None:
        raise nothing_there(chip, core, start, length, physical=physical)
    shown: bytes = data
    _print({"address": start, "bytes": data.hex()}, as_json, lambda: chip_state.dump(start, shown))


@show.command("lut")
@snapshot_argument
@core_option
@_json
def show_lut(snapshot: str, core: int, as_json: bool) -> None:
    """The lookup table of a core: entries that are not zero."""
    from rockcreek.inspection import chip_state

    chip, _ = open_chip(snapshot, core=core)
    entries = chip_state.lut(chip, core)

    def text() -> str:
        return "\n".join(
            f"{entry:#04x}  {row['value']:#08x}  router ({row['X']},{row['Y']})"
            f"  {chip_state.SUB_DESTINATIONS[row['SUB']]:<5}"
            f"  segment {chip_state.segment(chip, row):#05x}"
            + ("  bypass" if row["BYPASS"] else "")
            for entry, row in entries.items()
        )

    _print(entries, as_json, text)


@show.command("crb")
@snapshot_argument
@tile_option
@_json
def show_crb(snapshot: str, tile: int, as_json: bool) -> None:
    """The configuration registers of a tile, field by field."""
    from rockcreek.inspection import chip_state

    chip, _ = open_chip(snapshot, tile=tile)
    values = chip_state.crb(chip, tile)

    def text() -> str:
        lines = []
        for name, register in values.items():
            fields = " ".join(f"{key}={part:#x}" for key, part in register["fields"].items())
            lines.append(
                f"{name:<8} +{register['offset']:#06x} {register['value']:#010x}  {fields}"
            )
        return "\n".join(lines)

    _print(values, as_json, text)


@show.command("mpb")
@snapshot_argument
@click.argument("offset", type=Number(), default=0)
@click.argument("length", type=Number(), default=256)
@tile_option
@_json
def show_mpb(snapshot: str, offset: int, length: int, tile: int, as_json: bool) -> None:
    """The message-passing buffer of a tile.  [default: its first 256 bytes]"""
    from rockcreek.inspection import chip_state

    chip, _ = open_chip(snapshot, tile=tile)
    buffer = chip.mpb(tile)
    if offset >= len(buffer):
        raise UsageError(f"the message-passing buffer has {len(buffer)} bytes")
    data = buffer[offset:][:length]
    _print({"offset": offset, "bytes": data.hex()}, as_json, lambda: chip_state.dump(offset, data))


@show.command("cache")
@snapshot_argument
@click.argument("address", type=Number(), required=False)
@core_option
@_json
def show_cache(snapshot: str, address: int | None, core: int, as_json: bool) -> None:
    """The valid lines of a core's caches, or the one line of (physical) ADDRESS with its bytes."""
    from rockcreek.inspection import chip_state

    chip, _ = open_chip(snapshot, core=core)
    lines = chip_state.cached(chip, core, address)

    def text() -> str:
        rows = [
            f"{line['cache']:<3} set {line['set']:<4} way {line['way']} {line['address']:#010x}"
            + "".join(f" {key}" for key in ("dirty", "mpbt") if line[key])
            for line in lines
        ]
        data = [(line["address"], found) for line in lines if (found := line.get("bytes"))][:1]
        rows += [chip_state.dump(address, bytes.fromhex(found)) for address, found in data]
        return "\n".join(rows) if rows else "nothing is cached"

    _print(lines, as_json, text)
