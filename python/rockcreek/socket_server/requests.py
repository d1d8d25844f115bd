"""What may be asked of a running chip, and its answers: JSON objects (docs/guide/socket.md).

Addresses are core-physical, before the core's LUT, or with `"space": "linear"` as the core's paging
shows them. Nothing here takes simulated time, and what only reads changes nothing.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping
from typing import TypedDict

from rockcreek.chip import Chip
from rockcreek.errors import RockcreekError
from rockcreek.formats.engine import CoreState
from rockcreek.socket_server import cores

MOST_BYTES = 1 << 20
SPACES = ("physical", "linear")
# An object of anybody's: what a key holds is looked at where it is needed.
Request = Mapping[str, object]


class Activity(TypedDict):
    """What a core has done since its reset, and the packets between it and the mesh."""

    cycles: int
    halted_cycles: int
    instructions: int
    packets: int


class Answer(TypedDict, total=False):
    """What comes back: `id` and `time_ps` always, and what was asked for."""

    id: object  # as it came
    time_ps: int
    error: str
    event: str
    data: str  # bytes in hexadecimal
    value: int
    registers: CoreState
    instructions: int
    cores: list[Activity]


class Refused(Exception):
    """A request that cannot be answered, in words for who asked."""


def answer(chip: Chip, request: Request) -> Answer:
    """The answer, without `id` and `time_ps`; raises `Refused`."""
    what = request.get("do")
    handler = HANDLERS.get(what) if isinstance(what, str) else None
    if handler is None:
        raise Refused(f"there is no request {what!r}; there are {', '.join(HANDLERS)}")
    try:
        return handler(chip, request)
    except (RockcreekError, IndexError, OverflowError, ValueError, TypeError) as error:
        raise Refused(str(error)) from error


def number(request: Request, key: str, default: int | None = None) -> int:
    """An integer of a request."""
    value = request.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise Refused(f"{key} must be a number, not {reprlib.repr(value)}")
    return value


def _core(chip: Chip, request: Request) -> int:
    core = number(request, "core", 0)
    if core >= chip.description.core_count:
        raise Refused(f"there is no core {core}")
    return core


def _data(request: Request, key: str = "data", default: str | None = None) -> bytes:
    text = request.get(key, default)
    if not isinstance(text, str):
        raise Refused(f"{key} must be bytes in hexadecimal")
    return bytes.fromhex(text)


def _text(request: Request, key: str) -> str:
    text = request.get(key, "")
    if not isinstance(text, str):
        raise Refused(f"{key} must be a text, not {reprlib.repr(text)}")
    return text


def _is_linear(request: Request) -> bool:
    space = request.get("space", SPACES[0])
    if space not in SPACES:
        raise Refused(f"space must be {' or '.join(SPACES)}, not {reprlib.repr(space)}")
    return bool(space == SPACES[1])


def _read(chip: Chip, request: Request) -> Answer:
    core, address, length = (
        _core(chip, request),
        number(request, "address"),
        number(request, "length"),
    )
    if not 0 < length <= MOST_BYTES:
        raise Refused(f"length must be 1 to {MOST_BYTES}")
    read = chip.read_linear if _is_linear(request) else chip.read_physical
    data = read(core, address, length)
    if data is None:
        raise Refused(f"there is no memory at 0x{address:x}")
    return {"data": data.hex()}


def _write(chip: Chip, request: Request) -> Answer:
    core, address, data = _core(chip, request), number(request, "address"), _data(request)
    write = chip.write_linear if _is_linear(request) else chip.write_physical
    if not write(core, address, data):
        raise Refused(f"there is no memory at 0x{address:x}")
    return {}


def _registers(chip: Chip, request: Request) -> Answer:
    return {"registers": chip.core(_core(chip, request))}


def _set_register(chip: Chip, request: Request) -> Answer:
    core, name = _core(chip, request), str(request.get("name"))
    if not chip.set_register(core, name, number(request, "value")):
        raise Refused(f"there is no register {reprlib.repr(name)}")
    return {}


def _mpb(chip: Chip, request: Request) -> Answer:
    return {"data": chip.mpb(_tile(chip, request)).hex()}


def _set_mpb(chip: Chip, request: Request) -> Answer:
    chip.set_mpb(_tile(chip, request), number(request, "offset"), _data(request))
    return {}


def _crb(chip: Chip, request: Request) -> Answer:
    return {"value": chip.crb(_tile(chip, request), number(request, "offset"))}


def _set_crb(chip: Chip, request: Request) -> Answer:
    chip.set_crb(_tile(chip, request), number(request, "offset"), number(request, "value"))
    return {}


def _stop(chip: Chip, request: Request) -> Answer:
    cores.stop(chip, _core(chip, request))
    return {}


def _start(chip: Chip, request: Request) -> Answer:
    image = _data(request, "image", "")
    cores.start(
        chip, _core(chip, request), image, _text(request, "line"), _text(request, "modules")
    )
    return {}


def _tile(chip: Chip, request: Request) -> int:
    tile = number(request, "tile")
    if tile >= chip.description.columns * chip.description.rows:
        raise Refused(f"there is no tile {tile}")
    return tile


def _time(chip: Chip, request: Request) -> Answer:
    return {"instructions": chip.instructions}


def _activity(chip: Chip, request: Request) -> Answer:
    counted = chip.statistics()
    traffic = counted.get("traffic", [])
    packets = [sum(unit["packets"] for unit in units.values()) for units in traffic]
    return {
        "cores": [
            {
                "cycles": one["cycles"],
                "halted_cycles": one["core"]["halted_cycles"],
                "instructions": one["core"]["instructions"],
                "packets": count,
            }
            for one, count in zip(counted["cores"], packets, strict=True)
        ]
    }


HANDLERS: dict[str, Callable[[Chip, Request], Answer]] = {
    "read": _read,
    "write": _write,
    "registers": _registers,
    "set_register": _set_register,
    "mpb": _mpb,
    "set_mpb": _set_mpb,
    "crb": _crb,
    "set_crb": _set_crb,
    "stop": _stop,
    "start": _start,
    "time": _time,
    "activity": _activity,
}
