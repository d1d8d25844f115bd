"""Where the cycles went: every cycle of every core, by cause, function and source line.

The engine charges each cycle to one instruction and one cause; here addresses get their names. What
is behind it is in docs/guide/profile.md.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any

from rockcreek.reading import PROFILE, PROFILE_VERSION
from rockcreek.results.region import Parts
from rockcreek.results.result import Result
from rockcreek.software.image import Image

SCHEMA = {"name": PROFILE, "version": PROFILE_VERSION}
# In the order of tables, and what people read.
CAUSES = {
    "compute": "instructions in the pipes",
    "l2": "L1 missed, L2 had the line",
    "dram": "memory controllers",
    "mpb": "message-passing buffers",
    "lock": "test-and-set registers",
    "registers": "other registers of tiles",
    "board": "FPGA, voltage regulator, ports",
    "stores": "bus unit busy with stores",
    "nowhere": "addresses where nothing is",
    "halted": "HLT, or held",
}
# Linear address, ring 3, cause, number of snapshots taken before, cycles.
Charge = tuple[int, bool, str, int, int]


def build(
    charged: Iterable[tuple[int, list[Charge]]],
    kernel: Image,
    program: Image,
    result: Result,
    parts: Parts | None = None,
    *,
    personality: Image | None = None,
) -> dict[str, Any]:
    """The profile as its file holds it; `parts`: the region of interest."""
    names = _Names(kernel, program, personality)
    whole = _Sums(names)
    region = None if parts is None else _Sums(names)
    for core, (cycles, charges) in enumerate(charged):
        names.learn(charges)
        whole.add(core, charges, cycles)
        if parts is not None and region is not None:
            own = [charge for charge in charges if parts.has(core, charge[3])]
            region.add(core, own, sum(charge[4] for charge in own))
    roi = {} if parts is None or region is None else {"roi": {"name": parts.name, **region.lists}}
    return {
        "schema": SCHEMA,
        "program": result.program,
        "clocks": result.chip["clocks"],
        "time_ps": result.time_ps,
        "state_hash": result.state_hash,
        **whole.lists,
        "places": [
            {"image": image, "function": function, "file": file, "line": line}
            for image, function, file, line in names.places
        ],
        **roi,
    }


_Place = tuple[str, str | None, str | None, int | None]  # image, function, file, line


class _Sums:
    """Cycles by core, place and cause."""

    def __init__(self, names: _Names) -> None:
        self._names = names
        self.lists: dict[str, list[dict[str, Any]]] = {"cores": [], "rows": []}

    def add(self, core: int, charges: list[Charge], cycles: int) -> None:
        """The charges of one core, of which all names are known."""
        if not charges:
            return
        by_place: dict[tuple[int, bool], dict[str, int]] = defaultdict(lambda: defaultdict(int))
        causes: dict[str, int] = defaultdict(int)
        for address, user, cause, _, spent in charges:
            by_place[self._names.number(address, user), user][cause] += spent
            causes[cause] += spent
        self.lists["cores"].append({"core": core, "cycles": cycles, "causes": _ordered(causes)})
        self.lists["rows"] += [
            {"core": core, "place": place, "user": user, "causes": _ordered(spent)}
            for (place, user), spent in sorted(by_place.items())
        ]


class _Names:
    """Functions and lines of the addresses of one run."""

    def __init__(self, kernel: Image, program: Image, personality: Image | None) -> None:
        self._ring_3 = [program] if personality is None else [program, personality]
        self._kernel = kernel
        self._known: dict[tuple[int, bool], _Place] = {}
        self.places: dict[_Place, int] = {}

    def learn(self, charges: Iterable[Charge]) -> None:
        new = {(address, user) for address, user, *_ in charges} - self._known.keys()
        # IRET ends in ring 3, and is the kernel's.
        for image in self._ring_3:
            own = {key for key in new if key[1] and image.holds_code(key[0])}
            self._name(own, image, image.name)
            new -= own
        self._name(new, self._kernel, "kernel")

    def _name(self, keys: Iterable[tuple[int, bool]], image: Image, name: str) -> None:
        wanted = sorted({address for address, _ in keys})
        found = zip(wanted, image.lines.places(wanted), strict=True)
        named = {at: (name, *place) for at, place in found}
        self._known.update((key, named[key[0]]) for key in keys)

    def number(self, address: int, user: bool) -> int:
        """The number of the place of an address."""
        return self.places.setdefault(self._known[address, user], len(self.places))


def _ordered(causes: Mapping[str, int]) -> dict[str, int]:
    return {name: causes[name] for name in CAUSES if causes.get(name)}


def text(profile: Mapping[str, Any]) -> str:
    """The file, with a line for each core, place and row."""
    parts = [f'"{key}": {json.dumps(value)}' for key, value in profile.items() if key not in _LISTS]
    for key in _LISTS:
        lines = ",\n".join(json.dumps(item) for item in profile[key])
        parts.append(f'"{key}": [\n{lines}\n]')
    return "{" + ",\n".join(parts) + "}\n"


_LISTS = ("cores", "places", "rows")


def of_region(profile: dict[str, Any]) -> dict[str, Any]:
    """The profile of the region of interest, as if it were all; the profile itself without one."""
    roi = profile.get("roi")
    if roi is None:
        return profile
    return {**profile, "cores": roi["cores"], "rows": roi["rows"], "region": roi["name"]}


def select(profile: dict[str, Any], cores: Iterable[int] | None) -> dict[str, Any]:
    """The profile of these cores only."""
    if cores is None:
        return profile
    wanted = set(cores)
    kept = {key: [i for i in profile[key] if i["core"] in wanted] for key in ("cores", "rows")}
    return {**profile, **kept}


def ranked(profile: Mapping[str, Any]) -> list[tuple[int, dict[str, int]]]:
    """Cycles of each place by cause, over all cores and both rings; most cycles first."""
    by_place: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for row in profile["rows"]:
        for cause, cycles in row["causes"].items():
            by_place[row["place"]][cause] += cycles
    return sorted(by_place.items(), key=lambda item: (-sum(item[1].values()), item[0]))


def name(place: Mapping[str, Any]) -> str:
    """A place in words: `buts (buts.c:41)`."""
    function = place["function"] or "?"
    where = "" if place["line"] is None else f"{PurePath(place['file']).name}:{place['line']}"
    if place["image"] == "kernel":
        where = f"kernel, {where}" if where else "kernel"
    return f"{function} ({where})" if where else str(function)
