"""What the cores of a running chip do, as the SCC's performance meter showed it: `rck linux top`.

A look holds the chip for a moment, asks the engine for cycles and packets of all cores, and reads
in their memory where Linux counts pages and packets (systems/linux/kernel/devices/scc_meter.c).
Nothing of the run changes by it. Two looks give a measurement.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict

from rockcreek.errors import UsageError
from rockcreek.linux import images
from rockcreek.socket_server.client import Attached

_SYMBOL = "scc_meter"
_MARK = 0x4D4B4352
_PAGE = 4096
_PS_PER_S = 10**12


class CoreLoad(TypedDict):
    """A core between two looks; what only Linux knows is None where none of ours runs."""

    core: int
    load: float  # the share of its cycles in which it did not rest
    memory_used: int | None
    memory: int | None  # bytes
    mesh_packets_per_s: float
    mb0_packets_per_s: float | None  # sent and taken


class Load(TypedDict):
    """A measurement; its rates are by simulated time."""

    time_ps: int
    span_ps: int
    instructions: int
    cores: list[CoreLoad]


@dataclass(frozen=True)
class Counts:
    """A core at one instant."""

    cycles: int
    halted_cycles: int
    instructions: int
    packets: int
    linux: tuple[int, int, int] | None  # pages, free pages, packets of mb0


@dataclass(frozen=True)
class Look:
    """All cores that are out of reset, at one instant."""

    time_ps: int
    cores: Mapping[int, Counts]


def address() -> int | None:
    """Where the Linux that was built has its meter; another kernel has no mark there."""
    try:
        path = images.folder() / "images" / images.MAP
        return address_in(path.read_text(encoding="ascii", errors="replace"))
    except OSError:
        return None


def address_in(system_map: str) -> int | None:
    """The meter of a kernel with these symbols.

    >>> hex(address_in("c0100000 T _text\\nc0200040 D scc_meter\\n"))
    '0xc0200040'
    """
    for line in system_map.splitlines():
        address, _, name = line.partition(" ")
        if name[2:] == _SYMBOL:
            return int(address, 16)
    return None


class Meter:
    """Looks at a chip; `at` is where its Linux has the meter."""

    def __init__(self, chip: Attached, at: int | None) -> None:
        self._chip, self._at = chip, at

    def look(self) -> Look:
        """The chip stands still for it."""
        time_ps = self._chip.hold()
        try:
            cores = {
                core: Counts(**one, linux=self._of_linux(core))
                for core, one in enumerate(self._chip.ask("activity")["cores"])
                if one["cycles"]
            }
        finally:
            self._chip.go()
        return Look(time_ps, cores)

    def _of_linux(self, core: int) -> tuple[int, int, int] | None:
        """None before Linux has page tables, and where another kernel runs."""
        if self._at is None:
            return None
        try:
            mark, *places = self._words(core, self._at, 4)
            if mark != _MARK:
                return None
            pages, free, where = (self._words(core, place, 1)[0] for place in places)
            packets = sum(self._words(core, where, 2)) if where else 0
        except UsageError:
            if self._chip.ended:
                raise
            return None
        return pages, free, packets

    def _words(self, core: int, address: int, count: int) -> tuple[int, ...]:
        data = self._chip.read(address, 4 * count, core=core, linear=True)
        return struct.unpack(f"<{count}I", data)


def between(before: Look, after: Look) -> Load:
    """What the cores did from one look to the next."""
    span_ps = after.time_ps - before.time_ps
    rows, instructions = [], 0
    for core, now in after.cores.items():
        then = before.cores.get(core)
        # A core that was reset since counts from 0.
        if then is None or now.cycles < then.cycles:
            then = Counts(0, 0, 0, 0, None)
        rows.append(_row(core, then, now, span_ps))
        instructions += now.instructions - then.instructions
    return Load(time_ps=after.time_ps, span_ps=span_ps, instructions=instructions, cores=rows)


def _row(core: int, then: Counts, now: Counts, span_ps: int) -> CoreLoad:
    cycles = now.cycles - then.cycles
    pages, free, packets = now.linux or (None, None, None)
    before = then.linux[2] if then.linux else 0
    return CoreLoad(
        core=core,
        load=1 - (now.halted_cycles - then.halted_cycles) / cycles if cycles else 0.0,
        memory_used=None if pages is None or free is None else (pages - free) * _PAGE,
        memory=None if pages is None else pages * _PAGE,
        mesh_packets_per_s=_rate(now.packets - then.packets, span_ps),
        mb0_packets_per_s=None if packets is None else _rate(packets - before, span_ps),
    )


def _rate(count: int, span_ps: int) -> float:
    """By the second; Linux's counters have 32 bits."""
    return (count & 0xFFFF_FFFF) * _PS_PER_S / span_ps
