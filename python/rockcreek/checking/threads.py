"""Races of a program of threads, which its own layer finds (systems/crf/pages/race.c).

Threads work on private copies, so their accesses cannot be seen at the shared memory. The layer
knows at each commit which bytes two cores have changed without an order; it calls a function whose
arguments are read here, where the call comes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rockcreek.checking import remedies, variables
from rockcreek.checking.fold import fold
from rockcreek.checking.places import Places
from rockcreek.software.atomics import LONGEST
from rockcreek.software.image import Image

TELLS = "crf_tell_race"
_ATOMIC = 0x10000  # in the other core's place: an atomic operation met its plain write
# In a place: the end of this thread's function, of this parallel region (pages/race.c).
_ENDS = {0x80000000: "thread", 0x40000000: "region"}
_ENDS_MASK = sum(_ENDS)
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
    address, at, other, other_at, other_value, argument = site["stack"][:6]
    atomic, other = bool(other & _ATOMIC), other & ~_ATOMIC
    mine = {**site, "address": address, "size": 4, "stack": [], "memory_type": "copy"}
    victim = _site(places, mine, at)
    culprit = None
    if other != _NOBODY:
        culprit = _site(places, {**mine, "core": other, "value": other_value}, other_at)
    regions = [place & ~_ENDS_MASK for place in (at, other_at) if _end(place) == "region"]
    found = {
        "kind": "race" if atomic else "double-write",
        "what": _what(program, address, variables.argument(program, regions, argument)),
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


def _end(place: int) -> str | None:
    """Whether a place is no line, but the end of a thread or of a parallel region."""
    return _ENDS.get(place & _ENDS_MASK)


def _site(places: Places, site: Mapping[str, Any], place: int) -> dict[str, Any]:
    """An access by the place that the layer knows: a return address, or the function whose end let
    go of what it had written; 0 where there is neither."""
    end, address = _end(place), place & ~_ENDS_MASK
    if end is None and address:
        address -= 1  # in the call
    return {**places.site({**site, "eip": address}), "end": end}


def _what(program: Image, address: int, argument: str | None) -> str:
    """The variable, or what memory it is."""
    if argument is not None:
        return f"`{argument}`"
    if address >= _ARENA:
        return f"heap or stacks, {address:#010x}"
    name = variables.at(program, address)
    return name or f"memory at {address:#010x}"
