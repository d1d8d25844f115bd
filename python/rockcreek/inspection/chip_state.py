"""What `rck show` prints and `rck set` changes, on a paused chip."""

from __future__ import annotations

from dataclasses import replace
from typing import NotRequired, TypedDict

from rockcreek.chip import Chip
from rockcreek.errors import UsageError
from rockcreek.formats.engine import CoreRegisters
from rockcreek.formats.waiting import Asked
from rockcreek.inspection import config_registers

_ROW = 16
_LUT_SPACING = 8
_LINE = 32
# The unit behind a router, by the LUT's three bits.
SUB_DESTINATIONS = ("core0", "core1", "crb", "mpb", "east", "south", "west", "north")


class X87(TypedDict):
    """The x87: control, status and tag words, and the registers in hexadecimal."""

    control: int
    status: int
    tags: int
    st: list[str]


class ConfigRegister(TypedDict):
    """A configuration register of a tile."""

    offset: int
    value: int
    fields: dict[str, int]


class CachedLine(TypedDict):
    """A valid line of a core's caches; `bytes` in hexadecimal, if the line was asked for."""

    cache: str
    set: int
    way: int
    address: int
    dirty: bool
    mpbt: bool
    bytes: NotRequired[str | None]


class Core(CoreRegisters):
    """A core as `rck show` prints it."""

    asks: Asked | None
    x87: X87


def core(chip: Chip, number: int) -> Core:
    """Registers and state of a core."""
    control, status, tags, stack = chip.x87(number)
    registers = chip.core(number)
    asks: Asked | None = None
    if registers["asks"] is not None:
        unit, offset, reads = registers["asks"]
        asks = {"unit": unit, "offset": offset, "read": reads}
    return {
        **registers,
        "asks": asks,
        "x87": {
            "control": control,
            "status": status,
            "tags": tags,
            "st": [f"{high:04x}{low:016x}" for low, high in stack],
        },
    }


def crb(chip: Chip, tile: int) -> dict[str, ConfigRegister]:
    """The configuration registers of a tile, with their fields."""
    found: dict[str, ConfigRegister] = {}
    tile_id = config_registers.find("TILEID")
    extended = tile_id.values(chip.crb(tile, tile_id.offset)).get("EXTENDED")
    for register in config_registers.block("crb"):
        if register.extension and not extended:
            continue
        value = chip.crb(tile, register.offset)
        found[register.name] = {
            "offset": register.offset,
            "value": value,
            "fields": register.values(value),
        }
    return found


def cached(chip: Chip, number: int, address: int | None) -> list[CachedLine]:
    """Valid lines of a core's caches; with an address those of its line, and what is read there."""
    lines: list[CachedLine] = [
        {
            "cache": cache,
            "set": set_,
            "way": way,
            "address": at,
            "dirty": dirty,
            "mpbt": mpbt,
        }
        for cache, set_, way, at, dirty, mpbt in chip.cached_lines(number)
    ]
    if address is None:
        return lines
    start = address & -_LINE
    lines = [line for line in lines if line["address"] == start]
    for line in lines:
        data = chip.read_cached(number, start, _LINE)
        line["bytes"] = None if data is None else data.hex()
    return lines


def _lut_register(
    chip: Chip, core_number: int, entry: int
) -> tuple[int, config_registers.Register]:
    per_tile = chip.description.cores_per_tile
    tile, z = divmod(core_number, per_tile)
    entries = lut_entries(chip)
    if not 0 <= entry < entries:
        raise UsageError(f"there is no LUT entry {entry}", hint=f"entries are 0 to {entries - 1}")
    # Tables of more entries than the SCC's follow each other in the same way.
    first = config_registers.block("lut")[0]
    offset = first.offset + _LUT_SPACING * (z * entries + entry)
    return tile, replace(first, name=f"LUT{z}{entry}", offset=offset)


def lut_entries(chip: Chip) -> int:
    """How many entries the lookup table of a core has."""
    return int(chip.description.values["tile"]["lut_entries"]["value"])


def lut(chip: Chip, core_number: int) -> dict[int, dict[str, int]]:
    """The entries of a core's lookup table that are not zero."""
    found = {}
    for entry in range(lut_entries(chip)):
        tile, register = _lut_register(chip, core_number, entry)
        value = chip.crb(tile, register.offset)
        if value:
            found[entry] = {"value": value, **register.values(value)}
    return found


def segment(chip: Chip, row: dict[str, int]) -> int:
    """The number of the segment behind a LUT entry, counted in segments of this chip. The fields
    are bits 33:24 and 23:14 of its address.
    """
    address = row["SEGMENT"] << 24 | row.get("SEGMENT_FINE", 0) << 14
    return address * lut_entries(chip) >> 32


def set_lut(chip: Chip, core_number: int, entry: int, value: int) -> str | None:
    """Another LUT entry; lines that are cached stay where they are. As `set_crb`."""
    tile, register = _lut_register(chip, core_number, entry)
    return _write(chip, tile, register, value)


def set_crb(chip: Chip, tile: int, name: str, value: int) -> str | None:
    """A configuration register, or with a dot a field of one: `GLCFG0.INTR`.

    What it reads afterwards, in words, if that is not what was written.
    """
    register_name, _, field = name.partition(".")
    register = config_registers.find(register_name)
    if field:
        value = register.with_field(chip.crb(tile, register.offset), field, value)
    return _write(chip, tile, register, value)


def _write(chip: Chip, tile: int, register: config_registers.Register, value: int) -> str | None:
    chip.set_crb(tile, register.offset, value)
    after = chip.crb(tile, register.offset)
    if after == value:
        return None
    return f"{register.name} reads {after:#x}, not {value:#x}: not all of its bits can be written"


def dump(start: int, data: bytes) -> str:
    """Bytes in rows: address, hexadecimal, text.

    >>> print(dump(0x10, b"ab"))
    00000010  61 62                                            ab
    """
    lines = []
    for at in range(0, len(data), _ROW):
        row = data[at : at + _ROW]
        text = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        lines.append(f"{start + at:08x}  {row.hex(' '):<47}  {text}")
    return "\n".join(lines)
