"""`rck set`: the chip in a snapshot, changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from rockcreek.cli.common import say
from rockcreek.cli.snapshot_arguments import (
    Bytes,
    Number,
    address_of,
    core_option,
    nothing_there,
    open_chip,
    output_option,
    snapshot_argument,
    tile_option,
)
from rockcreek.errors import UsageError
from rockcreek.outputs import Output

if TYPE_CHECKING:
    from rockcreek.chip import Chip

_SET_EPILOG = """Examples:

\b
  rck set mem s.rck 0x8049000 2a000000 --core 1
  rck set crb s.rck GLCFG0.INTR 1 --tile 3
  rck set lut s.rck 0x28 0x12345 --core 0 --output other.rck

Each writes the snapshot again, or another one (--output).
"""


@click.group("set", epilog=_SET_EPILOG)
def set_() -> None:
    """Change the chip in a snapshot."""


def _change(
    snapshot: str,
    where: tuple[str | None, bool],
    change: Callable[[Chip, str], None],
    **places: int,
) -> int:
    """Change the chip; `where` is --output and --force. A snapshot itself is written again."""
    output, force = where
    chip, note = open_chip(snapshot, **places)
    change(chip, note)
    chip.save(Output(output or snapshot, force=force or output is None), note)
    return 0


def _tell(note: str | None) -> None:
    if note is not None:
        say(f"rck: {note}")


@set_.command("mem")
@snapshot_argument
@click.argument("address")
@click.argument("data", type=Bytes(), metavar="BYTES")
@core_option
@click.option("--physical", is_flag=True, help="Behind the core's LUT; its caches stay.")
@output_option
def set_mem(
    snapshot: str,
    address: str,
    data: bytes,
    core: int,
    physical: bool,
    output: str | None,
    force: bool,
) -> int:
    """Change what this core sees at ADDRESS; other cores' caches stay stale."""

    def change(chip: Chip, note: str) -> None:
        start = address_of(address, snapshot, note)
        write = chip.write_physical if physical else chip.write_linear
        if not write(core, start, data):
            raise nothing_there(chip, core, start, len(data), physical=physical)

    return _change(snapshot, (output, force), change, core=core)


@set_.command("lut")
@snapshot_argument
@click.argument("entry", type=Number())
@click.argument("value", type=Number())
@core_option
@output_option
def set_lut(
    snapshot: str, entry: int, value: int, core: int, output: str | None, force: bool
) -> int:
    """Change an entry of a core's lookup table."""
    from rockcreek.inspection import chip_state

    def change(chip: Chip, _note: str) -> None:
        _tell(chip_state.set_lut(chip, core, entry, value))

    return _change(snapshot, (output, force), change, core=core)


@set_.command("crb")
@snapshot_argument
@click.argument("register", metavar="REGISTER[.FIELD]")
@click.argument("value", type=Number())
@tile_option
@output_option
def set_crb(
    snapshot: str, register: str, value: int, tile: int, output: str | None, force: bool
) -> int:
    """Write a configuration register of a tile, with all that follows."""
    from rockcreek.inspection import chip_state

    def change(chip: Chip, _note: str) -> None:
        _tell(chip_state.set_crb(chip, tile, register, value))

    return _change(snapshot, (output, force), change, tile=tile)


@set_.command("mpb")
@snapshot_argument
@click.argument("offset", type=Number())
@click.argument("data", type=Bytes(), metavar="BYTES")
@tile_option
@output_option
def set_mpb(
    snapshot: str, offset: int, data: bytes, tile: int, output: str | None, force: bool
) -> int:
    """Change bytes of a message-passing buffer."""

    def change(chip: Chip, _note: str) -> None:
        chip.set_mpb(tile, offset, data)

    return _change(snapshot, (output, force), change, tile=tile)


@set_.command("cache")
@snapshot_argument
@click.argument("address", type=Number())
@click.argument("data", type=Bytes(), metavar="BYTES")
@core_option
@output_option
def set_cache(
    snapshot: str, address: int, data: bytes, core: int, output: str | None, force: bool
) -> int:
    """Change bytes that a core's caches hold of (physical) ADDRESS, and nothing behind them."""

    def change(chip: Chip, _note: str) -> None:
        if not chip.write_cached(core, address, data):
            raise UsageError(
                f"core {core} does not hold all of these bytes in L1D or L2",
                hint="see `rck show cache`",
            )

    return _change(snapshot, (output, force), change, core=core)


@set_.command("core")
@snapshot_argument
@click.argument("register")
@click.argument("value", type=Number())
@core_option
@output_option
def set_core(
    snapshot: str, register: str, value: int, core: int, output: str | None, force: bool
) -> int:
    """Change a general register, eip or eflags of a core."""

    def change(chip: Chip, _note: str) -> None:
        if not chip.set_register(core, register.lower(), value):
            raise UsageError(f"there is no register {register}", hint="eax ... edi, eip, eflags")

    return _change(snapshot, (output, force), change, core=core)
