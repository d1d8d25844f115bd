"""What `rck show`, `rck set` and `rck dump` share: arguments, and the chip in a snapshot."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from rockcreek.errors import RockcreekError, UsageError

if TYPE_CHECKING:
    from rockcreek.chip import Chip


class Number(click.ParamType[int]):
    """A number of the chip: 32 bits, decimal or 0x..."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: Any) -> int:
        try:
            number = value if isinstance(value, int) else int(str(value), 0)
        except ValueError:
            self.fail(f"'{value}' is not a number such as 64 or 0x40", param, ctx)
        if not 0 <= number < 1 << 32:
            self.fail(f"{value} does not fit into 32 bits", param, ctx)
        return number


class Bytes(click.ParamType[bytes]):
    """Bytes as hexadecimal digits."""

    name = "bytes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: Any) -> bytes:
        try:
            data = value if isinstance(value, bytes) else bytes.fromhex(str(value))
        except ValueError:
            data = b""
        if not data:
            self.fail(f"'{value}' is not a row of hexadecimal bytes such as 2a00", param, ctx)
        return data


snapshot_argument = click.argument("snapshot", metavar="SNAPSHOT")
core_option = click.option("--core", "core", type=int, default=0, metavar="N", help="[default: 0]")
tile_option = click.option("--tile", "tile", type=int, default=0, metavar="N", help="[default: 0]")


def output_option(command: Callable[..., int]) -> Callable[..., int]:
    """Adds the options of the changed snapshot: `output` and `force`."""
    force = click.option("--force", is_flag=True, help="With --output: overwrite a file.")
    output = click.option("--output", metavar="FILE", help="Write another snapshot instead.")
    return output(force(command))


def open_chip(snapshot: str, *, core: int = 0, tile: int = 0) -> tuple[Chip, str]:
    """The chip in a snapshot, if it has this core and tile, and the snapshot's note."""
    from rockcreek.software import snapshot as snapshots

    chip, note = snapshots.open_for_looking(snapshot)
    description = chip.description
    tiles = description.columns * description.rows
    for what, number, count in (("core", core, description.core_count), ("tile", tile, tiles)):
        if not 0 <= number < count:
            raise UsageError(f"there is no {what} {number}", hint=f"there are 0 to {count - 1}")
    return chip, note


def address_of(text: str, snapshot: str, note: str) -> int:
    """A number, or the name of something in the program that the snapshot is of."""
    from rockcreek.software import snapshot as snapshots

    try:
        return Number().convert(text, None, None)
    except click.UsageError:
        if text[:1].isdigit() or text.startswith("-"):
            raise
    try:
        symbols = snapshots.image_of(snapshot, note).symbols
    except RockcreekError as error:
        raise UsageError(f"'{text}': {error.message}", hint="give a number: 0x8049000") from error
    if text not in symbols:
        raise UsageError(
            f"there is no symbol '{text}' in the program", hint="give a number: 0x8049000"
        )
    return symbols[text]


def nothing_there(
    chip: Chip, core: int, address: int, length: int, *, physical: bool
) -> UsageError:
    """The address of the first byte that cannot be read, and which command explains it."""
    read = chip.read_physical if physical else chip.read_linear
    reachable = 0
    for step in (1 << 16, 1 << 8, 1):
        while reachable < length and read(core, address + reachable, min(step, length)) is not None:
            reachable += step
    missing = address + reachable
    if physical:
        from rockcreek.inspection import chip_state

        segment = (1 << 32) // chip_state.lut_entries(chip)
        hint = f"`rck show lut` lists the memory map: entry {missing // segment:#04x}"
        return UsageError(f"core {core} has no memory at {missing:#x}", hint=hint)
    hint = "--physical takes addresses behind its page tables"
    return UsageError(f"core {core} has nothing mapped at {missing:#x}", hint=hint)
