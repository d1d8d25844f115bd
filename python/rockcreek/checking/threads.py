"""Races of a program of threads, which its own layer finds (systems/crf/pages/race.c).

Threads work on private copies, so their accesses cannot be seen at the shared memory. The layer
knows at each commit which bytes two cores have changed without an order; it calls a function whose
arguments are read here, where the call comes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rockcreek.checking import remedies
from rockcreek.checking.fold import fold
from rockcreek.checking.places import Places
from rockcreek.software.atomics import LONGEST
from rockcreek.software.image import Image

TELLS = "crf_tell_race"
_ATOMIC = 0x10000  # in the other core's place: an atomic operation met its plain write
_ARENA = 0x60000000  # stacks and heap: crf_control.h
_NOBODY = 0xFFFF


def is_told(raw: Mapping[str, Any], returns: set[int]) -> bool:
    """Whether a call that came back is one of the layer's: noted behind the next instruction."""
    return any(0 <= raw["victim"]["eip"] - place <= LONGEST for place in returns)


def findings(
    told: Iterable[Mapping[str, Any]], places: Places, program: Image
) -> list[dict[str, Any]]:
    """One finding for each variable and pair of lines."""
    return fold("what", (_finding(raw, places, program) for raw in told))


def _finding(raw: Mapping[str, Any], places: Places, program: Image) -> dict[str, Any]:
    """The finding: this core's write or atomic operation, and the other core's commit."""
    site = raw["victim"]
    address, at, other, other_at, other_value = site["stack"][:5]
    atomic, other = bool(other & _ATOMIC), other & ~_ATOMIC
    mine = {**site, "address": address, "size": 4, "stack": [], "memory_type": "copy"}
    victim = places.site({**mine, "eip": at - 1})
    culprit = None
    if other != _NOBODY:
        theirs = {"eip": other_at - 1, "core": other, "value": other_value}
        culprit = places.site({**mine, **theirs})
    found = {
        "kind": "race" if atomic else "double-write",
        "what": _what(program, address),
        "block": None,
        "unit": raw["unit"],
        "offset": raw["offset"],
        "victim": victim,
        "culprit": culprit,
        "level": raw["level"],
        "since_ps": raw["since_ps"],
        "order": None,
        "count": raw["count"],
    }
    return {**found, "title": remedies.title(found), "remedy": remedies.remedy(found)}


def _what(program: Image, address: int) -> str:
    """The variable, or what memory it is."""
    if address >= _ARENA:
        return f"heap or stacks, {address:#010x}"
    variables = sorted((at, name) for name, at in program.symbols.items() if at <= address)
    if not variables:
        return f"memory at {address:#010x}"
    start, name = variables[-1]
    return f"`{name}`" + (f" + {address - start}" if address != start else "")
