"""Races of a program's threads: what the engine watches, and the report of its races.

The engine watches the program's own code at its addresses, whatever copy of a page an access goes
to; the layer under the program announces what comes before what (`rck_order.h`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable

from rockcreek.checking import kinds, variables
from rockcreek.checking.fold import by_memory, fold
from rockcreek.checking.places import Places
from rockcreek.chip import Chip
from rockcreek.errors import InputError
from rockcreek.formats.engine import RawRace, RawRaceSite, RawSite
from rockcreek.formats.findings import Block, Named, Site, Titled, titled
from rockcreek.software import thread_models
from rockcreek.software.image import Image

EVENT = "rck_order"
_TEXT = ("crf_text_first", "crf_text_last")
_DATA = (("crf_data_first", "crf_data_last"), ("crf_bss_first", "crf_bss_last"))
ARENA = (0x60000000, 0x64000000)  # stacks and heap: systems/crf/crf_control.h
_TASKS = 1024  # from this number on it is a task: systems/crf/order.h
_PAGE = 4096
# Sources of the layer, as their debug information names them.
_LAYER = re.compile(r"(^|/)(systems|guest/scc)/")
# Functions of the C library that access memory for who calls them.
HELPER = re.compile(
    r"_*(w?mem(p?cpy|move|set|cmp|r?chr)|(str|wcs)n?(cpy|cat|cmp|casecmp|len|dup|str|spn|cspn|r?chr)"
    r"|stp(cpy|ncpy)|strchrnul|bcopy|bzero)$"
)


def is_watched(program: Image) -> bool:
    """Whether the program's layer announces what orders its threads."""
    return EVENT in program.symbols and all(name in program.symbols for name in _TEXT)


def own_code(program: Image) -> tuple[int, int]:
    """The addresses at which the program's own code begins and ends."""
    first, end = (program.symbols[name] for name in _TEXT)
    return first, end


def helpers(program: Image) -> list[tuple[int, int]]:
    """Functions of the C library that access memory for who calls them."""
    first, end = own_code(program)
    return [
        # Assembly code may state no size: the function then reaches to the next one.
        (at, at + size if size else behind)
        for (at, size, name), (behind, *_) in itertools.pairwise(program.functions)
        if not first <= at < end and HELPER.match(name)
    ]


def layer(program: Image) -> list[tuple[int, int]]:
    """The functions of the layer under threads, which handles bytes without regard to them."""
    first, end = own_code(program)
    others = [(at, size) for at, size, _ in program.functions if not first <= at < end]
    files = (file for _, file, _ in program.lines.places([at for at, _ in others]))
    return [
        (at, at + size)
        for (at, size), file in zip(others, files, strict=True)
        if file is not None and _LAYER.search(file)
    ]


def refuse_older(program: Image, check: str) -> None:
    """A layer that announces nothing would make a race of all that its locks order, and does not
    say which code is the program's own."""
    if thread_models.has_threads(program) and not is_watched(program):
        raise InputError(
            f"{program.path}: --check {check}: the program was linked when its threads' layer"
            " did not announce what orders them",
            path=str(program.path),
            hint="link it again with `rck cc -pthread` or `rck cc -fopenmp`",
        )


def watch(chip: Chip, program: Image) -> None:
    """Look for races of the program's threads."""
    symbols = program.symbols
    code = [(start, start + len(data)) for start, data in program.code()]
    data = [(symbols[start], symbols[to]) for start, to in _DATA if start in symbols]
    text = (min(start for start, _ in code), max(to for _, to in code))
    chip.watch_program([*data, ARENA], own_code(program), helpers(program), text)


def findings(races: Iterable[RawRace], places: Places, program: Image) -> list[Titled]:
    """One finding for each variable and pair of lines."""
    return fold(by_memory, (_finding(race, places, program) for race in races))


def _finding(race: RawRace, places: Places, program: Image) -> Titled:
    """The finding: of a race with a read the read comes first, as elsewhere, or an atomic
    operation."""
    one, other = race["first"], race["second"]
    victim, culprit = (other, one) if _comes_first(other, one) else (one, other)
    both = _site(places, race, victim), _site(places, race, culprit)
    mixed = one["atomic"] or other["atomic"] or not (one["write"] and other["write"])
    block = race["block"]
    found: Named = {
        "kind": "race" if mixed else "double-write",
        "what": _what(program, race),
        "block": None if block is None else _block(places, race["address"], block),
        "unit": 0,
        "offset": race["address"],
        "victim": both[0],
        "culprit": both[1],
        "level": "memory",
        "since_ps": 0,
        "order": None,
        "count": race["count"],
    }
    return titled(found, _title(found, *both), kinds.remedy(found))


def _comes_first(one: RawRaceSite, other: RawRaceSite) -> bool:
    if one["write"] != other["write"]:
        return not one["write"]
    return bool(one["atomic"] and not other["atomic"])


def _site(places: Places, race: RawRace, site: RawRaceSite) -> Site:
    known = site["write"] and not site["atomic"]
    raw: RawSite = {
        "core": site["core"],
        "eip": site["eip"],
        "time_ps": site["time_ps"],
        "address": race["address"],
        "size": race["size"],
        "stack": [],
        "user": True,
        "memory_type": "program",
        "value": site["value"] if known else None,
    }
    kind = ("atomic " if site["atomic"] else "") + ("write" if site["write"] else "read")
    number = site["thread"]
    thread = f"thread {number}" if number < _TASKS else f"task {number - _TASKS}"
    return {**places.site(raw), "access": kind, "thread": thread}


def _title(finding: Named, victim: Site, culprit: Site) -> str:
    first = f"core {victim['core']} {_did(victim)} in {finding['what']}"
    if victim["core"] == culprit["core"]:
        first = f"{victim['thread']} of {first}"
        return f"{first}, and its {culprit['thread']} {_did(culprit)}: nothing orders them"
    comma = "," if finding["kind"] == "race" else ""
    return f"{first}{comma} and core {culprit['core']} {_did(culprit)}: nothing orders them"


def _did(site: Site) -> str:
    what = f" {site['value']:#x}" if site["value"] is not None else ""
    how = " atomically" if site["access"].startswith("atomic") else ""
    return ("wrote" if site["access"].endswith("write") else "read") + what + how


def _block(places: Places, address: int, block: tuple[int, int, int, int]) -> Block:
    """Memory of malloc: where the program asked for it, if that is known."""
    start, size, eip, core = block
    raw: RawSite = {
        "core": core, "eip": eip, "user": True, "stack": [], "address": start, "size": size,
        "value": start, "time_ps": 0, "memory_type": "program",
    }  # fmt: skip
    return {"size": size, "offset": address - start, "allocated": places.site(raw)}


def _what(program: Image, race: RawRace) -> str:
    """The variable, or what memory it is."""
    address = race["address"]
    shared = race["argument"]
    if shared is not None and race["stack"] is not None:
        function, number, offset = shared
        name = variables.argument(program, function, number, offset)
        if name is not None:
            return f"`{name}`" + (f" + {offset}" if offset else "")
    if race["block"] is not None:
        return f"a block of {race['block'][1]} bytes"
    if race["stack"] is not None:
        return f"the stack of thread {race['stack']}"
    return variables.at(program, address) or f"memory at {address:#010x}"
