"""Where the cycles went: every cycle of every core, by cause, function and source line.

The engine charges each cycle to one instruction and one cause; here addresses get their names. What
is behind it is in docs/guide/profile.md.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import PurePath

from rockcreek.formats import cycle_profile as formats
from rockcreek.formats.common import Schema
from rockcreek.formats.cycle_profile import Cause, Causes, Profile
from rockcreek.reading import PROFILE, PROFILE_VERSION
from rockcreek.results.region import Parts
from rockcreek.results.result import Result
from rockcreek.software.image import Image

SCHEMA: Schema = {"name": PROFILE, "version": PROFILE_VERSION}
# In the order of tables, and what people read.
CAUSES: dict[Cause, str] = {
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
Charge = tuple[int, bool, Cause, int, int]


def build(
    charged: Iterable[tuple[int, list[Charge]]],
    kernel: Image,
    program: Image,
    result: Result,
    parts: Parts | None = None,
    *,
    personality: Image | None = None,
) -> Profile:
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
    profile: Profile = {
        "schema": SCHEMA,
        "program": result.program,
        "clocks": result.chip["clocks"],
        "time_ps": result.time_ps,
        "state_hash": result.state_hash,
        "cores": whole.cores,
        "rows": whole.rows,
        "places": [
            {"image": image, "function": function, "file": file, "line": line}
            for image, function, file, line in names.places
        ],
    }
    if parts is not None and region is not None:
        profile["roi"] = {"name": parts.name, "cores": region.cores, "rows": region.rows}
    return profile


_Place = tuple[str, str | None, str | None, int | None]  # image, function, file, line


class _Sums:
    """Cycles by core, place and cause."""

    def __init__(self, names: _Names) -> None:
        self._names = names
        self.cores: list[formats.CoreCycles] = []
        self.rows: list[formats.Row] = []

    def add(self, core: int, charges: list[Charge], cycles: int) -> None:
        """The charges of one core, of which all names are known."""
        if not charges:
            return
        by_place: dict[tuple[int, bool], Causes] = defaultdict(lambda: defaultdict(int))
        causes: Causes = defaultdict(int)
        for address, user, cause, _, spent in charges:
            by_place[self._names.number(address, user), user][cause] += spent
            causes[cause] += spent
        self.cores.append({"core": core, "cycles": cycles, "causes": _ordered(causes)})
        self.rows += [
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


def _ordered(causes: Causes) -> Causes:
    return {name: causes[name] for name in CAUSES if causes.get(name)}


def text(profile: Profile) -> str:
    """The file, with a line for each core, place and row."""
    parts = [f'"{key}": {json.dumps(value)}' for key, value in profile.items() if key not in _LISTS]
    for key, items in (
        ("cores", profile["cores"]),
        ("places", profile["places"]),
        ("rows", profile["rows"]),
    ):
        lines = ",\n".join(map(json.dumps, items))
        parts.append(f'"{key}": [\n{lines}\n]')
    return "{" + ",\n".join(parts) + "}\n"


_LISTS = ("cores", "places", "rows")


def of_region(profile: Profile) -> Profile:
    """The profile of the region of interest, as if it were all; the profile itself without one."""
    roi = profile.get("roi")
    if roi is None:
        return profile
    return {**profile, "cores": roi["cores"], "rows": roi["rows"], "region": roi["name"]}


def select(profile: Profile, cores: Iterable[int] | None) -> Profile:
    """The profile of these cores only."""
    if cores is None:
        return profile
    wanted = set(cores)
    return {
        **profile,
        "cores": [one for one in profile["cores"] if one["core"] in wanted],
        "rows": [one for one in profile["rows"] if one["core"] in wanted],
    }


def ranked(profile: Profile) -> list[tuple[int, Causes]]:
    """Cycles of each place by cause, over all cores and both rings; most cycles first."""
    by_place: dict[int, Causes] = defaultdict(lambda: defaultdict(int))
    for row in profile["rows"]:
        for cause, cycles in row["causes"].items():
            by_place[row["place"]][cause] += cycles
    return sorted(by_place.items(), key=lambda item: (-sum(item[1].values()), item[0]))


def name(place: formats.Place) -> str:
    """A place in words: `buts (buts.c:41)`."""
    function = place["function"] or "?"
    where = "" if place["line"] is None else f"{PurePath(place['file'] or '').name}:{place['line']}"
    if place["image"] == "kernel":
        where = f"kernel, {where}" if where else "kernel"
    return f"{function} ({where})" if where else str(function)
