"""`--check memory`: what the engine watches of a program's blocks, and the report of mistakes.

The engine notes where an allocator begins and returns, and keeps the books of all blocks. The chip
knows nothing of malloc: its names and arguments are here (`allocators`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rockcreek.checking import allocators, kinds, threads
from rockcreek.checking.fold import by_kind, fold
from rockcreek.checking.kinds.memory import bytes_of
from rockcreek.checking.kinds.sites import line_of
from rockcreek.checking.places import LIBRARY, Places
from rockcreek.chip import Chip
from rockcreek.errors import InputError
from rockcreek.formats.engine import RawBlock, RawBlockFinding, RawSite
from rockcreek.formats.findings import Block, Named, Site, Titled, titled
from rockcreek.reading.sources import OURS
from rockcreek.software import thread_models
from rockcreek.software.image import Image

# The program's break and its mappings: guest/kernel/memory/layout.h.
_MAPPED_END, _STACK_TOP, _STACK_BYTES = 0xBF000000, 0xBFFFF000, 0x00800000
_PAGE = 4096
_WORD = 4
# What a kind of the engine begins with that is about unwritten values; then follows what used them.
_UNWRITTEN = "unwritten-"


def watch(
    chip: Chip, cores: Sequence[int], program: Image, *, without_blocks: bool = False
) -> None:
    """Keep the books of the program's blocks, if it has any; `without_blocks`: only if it has
    none, for what needs the books in any case."""
    functions = allocators.of(program)
    code = [(start, start + len(data)) for start, data in program.code()]
    if bool(functions) == without_blocks or not code:
        return
    end = max(one.start + one.memory_bytes for one in program.segments)
    mapped = (-(-end // _PAGE) * _PAGE, _MAPPED_END)
    threads.refuse_older(program, "memory")
    one = thread_models.has_threads(program)
    text = (min(start for start, _ in code), max(to for _, to in code))
    rows = [allocators.row(program, at, function) for at, (_, function) in functions.items()]
    if one:
        own, helpers = threads.own_code(program), threads.helpers(program)
        chip.watch_blocks([threads.ARENA], own, helpers, text, rows, one=True)
    else:
        chip.watch_blocks([mapped], (0, 0), [text], text, rows, one=False)
    chip.set_check_borders(cores, list(functions), allocators.returns(program, functions))


def follow_values(chip: Chip, cores: Sequence[int], kernel: Image, program: Image) -> None:
    """Follow each instruction of the program, whose blocks are watched if it has any."""
    if thread_models.has_threads(program) and len(cores) > 1:
        raise InputError(
            f"{program.path}: --check unwritten: a program of threads on several cores, which share"
            " their memory by copies of pages that the check does not follow",
            path=str(program.path),
            hint="run its threads on one core (-n 1); or use `--check memory`, which finds wrong"
            " accesses to blocks, and `--check races`",
        )
    watch(chip, cores, program, without_blocks=True)
    layer = threads.layer(program) if thread_models.has_threads(program) else []
    chip.watch_values([*kernel.code(), *program.code()], layer)


def findings(chip: Chip, places: Places, program: Image) -> tuple[list[Titled], int]:
    """All mistakes with blocks, and the number of those for which there was no place."""
    functions = allocators.of(program)
    raw, dropped = chip.block_findings()
    named = (_finding(one, places, functions) for one in raw)
    found = fold(by_kind, (one for one in named if one is not None))
    return found + _leaks(chip, places, program, functions), dropped


def _finding(
    raw: RawBlockFinding, places: Places, functions: Mapping[int, allocators.Found]
) -> Titled | None:
    """The finding; none for what a library does on purpose."""
    block, victim = raw["block"], raw["victim"]
    if raw["kind"].startswith(_UNWRITTEN):
        return _unwritten(raw, places)
    freed = None if block is None or block["freed"] is None else _call(places, block["freed"])
    accesses = raw["kind"] in ("beyond-block", "use-after-free")
    site = _access(places, raw) if accesses else _call(places, victim)
    if accesses and block is not None and _is_meant(raw, block, site, functions):
        return None
    return _named(
        raw["kind"],
        site,
        victim["address"],
        what=f"{victim['address']:#010x}",
        block=None if block is None else _block(places, block, victim["address"]),
        culprit=freed,
        count=raw["count"],
    )


def _named(
    kind: str,
    victim: Site,
    address: int,
    *,
    what: str,
    count: int,
    culprit: Site | None = None,
    block: Block | None = None,
    level: str = "memory",
) -> Titled:
    """A finding of blocks, which says nothing of units, instants and orders."""
    found: Named = {
        "kind": kind, "unit": 0, "offset": address, "victim": victim, "culprit": culprit,
        "level": level, "since_ps": 0, "order": None, "block": block, "what": what, "count": count,
    }  # fmt: skip
    return titled(found, kinds.title(found), kinds.remedy(found))


def _unwritten(raw: RawBlockFinding, places: Places) -> Titled:
    """The use of a value that was never written, and what made the memory that it came from: an
    allocation, or the function in whose part of the stack it was."""
    block, victim = raw["block"], raw["victim"]
    made = None
    if block is not None:
        made = _call(places, block["allocated"])
    elif raw["frame"] is not None:
        made = _call(places, {**victim, "eip": raw["frame"], "stack": [], "address": 0})
    return _named(
        "unwritten",
        _call(places, {**victim, "calls": raw["calls"]}),
        0,
        what=raw["kind"].removeprefix(_UNWRITTEN),
        culprit=made,
        level="stack" if block is None else "block",
        count=raw["count"],
    )


def _access(places: Places, raw: RawBlockFinding) -> Site:
    site = places.site({**raw["victim"], "value": None, "calls": raw["calls"]})
    return {**site, "access": "write" if raw["write"] else "read"}


def _call(places: Places, site: RawSite) -> Site:
    return {**places.site({**site, "value": None}), "access": "call"}


def _block(places: Places, block: RawBlock, address: int) -> Block:
    offset = address - block["start"]
    return {
        "size": block["bytes"], "offset": offset, "allocated": _call(places, block["allocated"])
    }  # fmt: skip


def _is_meant(
    raw: RawBlockFinding,
    block: RawBlock,
    site: Site,
    functions: Mapping[int, allocators.Found],
) -> bool:
    """Whether a library may do that: strlen and the like read whole words, the last beyond the
    block; RCCE has flags and buffers of its own beside the program's blocks."""
    address = raw["victim"]["address"]
    frame = site["frames"][0] if site["frames"] else None
    innermost = None if frame is None else frame["function"]
    _, function = functions[block["allocator"]]
    by_library = innermost is not None and LIBRARY.match(innermost) is not None
    by_library = by_library or (frame is not None and OURS.match(frame["file"] or "") is not None)
    if function.place.with_library and (by_library or site["place"] != 0):
        return True
    begins = address - address % _WORD - block["start"]
    return (
        raw["kind"] == "beyond-block"
        and not raw["write"]
        and innermost is not None
        and threads.HELPER.match(innermost) is not None
        and -_WORD < begins < block["bytes"]
    )


def _leaks(
    chip: Chip, places: Places, program: Image, functions: Mapping[int, allocators.Found]
) -> list[Titled]:
    """One finding for each line that allocated what nothing points to at the end."""
    writable = [
        (one.start, one.start + one.memory_bytes) for one in program.segments if one.is_writable
    ]
    stack = (_STACK_TOP - _STACK_BYTES, _STACK_TOP)
    lost = [
        block
        for block, is_lost in chip.live_blocks([*writable, stack])
        if is_lost and not functions[block["allocator"]][1].place.with_library
    ]
    return [_leak(group) for group in _by_line(lost, places)]


class _Lost(NamedTuple):
    """A block that nothing points to, and the call that allocated it."""

    block: RawBlock
    site: Site


def _by_line(lost: Iterable[RawBlock], places: Places) -> list[list[_Lost]]:
    groups: dict[str, list[_Lost]] = {}
    for block in lost:
        site = _call(places, block["allocated"])
        groups.setdefault(line_of(site), []).append(_Lost(block, site))
    return list(groups.values())


def _leak(group: list[_Lost]) -> Titled:
    total = sum(one.block["bytes"] for one in group)
    first = group[0]
    what = f"of {bytes_of(total)}" if len(group) == 1 else f"with together {bytes_of(total)}"
    return _named("leak", first.site, first.block["start"], what=what, count=len(group))
