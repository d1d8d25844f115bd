"""The region of interest of a run: the part that its numbers are about, and the key `roi`.

Without a choice it is what a program does between RCCE_init's return (MPI_Init's) and the begin of
RCCE_finalize (MPI_Finalize), on each core; in other programs from the begin of `main` to `exit`.
Boot and start are outside. What a core has counted at both ends comes from snapshots that the
engine takes when it retires these instructions, at no simulated time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rockcreek.chip import Chip
from rockcreek.errors import InputError
from rockcreek.results import energy
from rockcreek.results.counters import misses
from rockcreek.software.image import Image

if TYPE_CHECKING:
    from rockcreek.formats import result as formats
    from rockcreek.formats.energy import Energy
    from rockcreek.formats.statistics import Counters, RegionCounters

MARKS = "marks"
_NOTES = ("rck_mark", "rck_region_begin", "rck_region_end", "rck_mark_value")
_BEGIN, _END = "rck_region_begin", "rck_region_end"
# What begins a program's own work when it returns, and what ends it when it is called.
_LIBRARIES = (
    (("MPI_Init", "MPI_Init_thread"), "MPI_Finalize", "MPI_Init"),
    (("rcce_start",), "RCCE_finalize", "RCCE_init"),
    (("RCCE_init",), "RCCE_finalize", "RCCE_init"),
)
_LONGEST_NAME = 120
# PARTS of crates/chip/src/scheduler/cycle_profile.rs.
_MOST_PARTS = 1 << 10


@dataclass(frozen=True)
class Borders:
    """The instructions at which the region begins and ends, on each core."""

    name: str
    begins: tuple[int, ...]
    ends: tuple[int, ...]
    # Of a region by name: only calls with this name.
    argument: str | None = None
    # Whether its last end counts, not the first one behind its begin.
    until_last: bool = True


def borders(program: Image, wanted: str | None) -> Borders | None:
    """The addresses at which the region begins and ends; None if the program has none."""
    symbols = program.symbols
    if wanted is not None:
        return _marked(program, wanted)
    for starts, end, name in _LIBRARIES:
        calls = [symbols[start] for start in starts if start in symbols]
        begins = [at for call in calls for at in program.returns_of(call)]
        if begins and end in symbols:
            return Borders(f"{name} to {end}", tuple(begins), (symbols[end],), until_last=False)
    if "main" in symbols and "exit" in symbols:
        return Borders("main to exit", (symbols["main"],), (symbols["exit"],), until_last=False)
    return None


def _marked(program: Image, wanted: str) -> Borders:
    symbols = program.symbols
    if wanted == MARKS:
        notes = tuple(symbols[name] for name in _NOTES if name in symbols)
        if notes:
            return Borders("first to last mark", notes, notes)
    elif _BEGIN in symbols and _END in symbols:
        return Borders(wanted, (symbols[_BEGIN],), (symbols[_END],), argument=wanted)
    raise InputError(
        f"{program.path}: --roi {wanted}: the program has no marks",
        path=str(program.path),
        hint='include "rck_mark.h", and call rck_region_begin("NAME") and rck_region_end("NAME")',
    )


def is_meant(program: Image, where: Borders, word: int) -> bool:
    """Whether a call at a border is of the region: any, or those whose first argument names it."""
    return where.argument is None or _name_at(program, word) == where.argument


def _name_at(program: Image, address: int) -> str:
    data = program.bytes_at(address, _LONGEST_NAME)
    return data.split(b"\0", 1)[0].decode(errors="replace")


@dataclass(frozen=True)
class Parts:
    """The region as parts of each core's cycles: between which two snapshots, or behind one."""

    name: str
    of_core: Mapping[int, tuple[int, int | None]]

    def has(self, core: int, part: int) -> bool:
        """Whether cycles that the core spent behind so many snapshots are of the region."""
        first, last = self.of_core.get(core, (_MOST_PARTS, None))
        return part > first and (last is None or part <= last)

    @property
    def is_known(self) -> bool:
        """Whether the engine has kept the region's cycles apart."""
        numbers = [number or 0 for both in self.of_core.values() for number in both]
        return bool(numbers) and max(numbers) < _MOST_PARTS


@dataclass(frozen=True)
class _Instant:
    time_ps: int
    cycles: int
    counters: RegionCounters | Counters
    number: int  # of the snapshot


class Region:
    """Watches the region of one run."""

    def __init__(self, chip: Chip, cores: Sequence[int], program: Image, where: Borders) -> None:
        self._chip, self._cores, self._program, self._where = chip, cores, program, where
        self.others: set[str] = set()  # names of regions that were met, if one is wanted by name
        chip.set_snapshots(cores, sorted({*where.begins, *where.ends}))

    def report(self, ends_ps: Mapping[int, int]) -> formats.Region | None:
        """The key `roi`, if some core began the region; `ends_ps`: when cores ended."""
        statistics = self._chip.statistics()["cores"]
        cores = []
        for core in self._cores:
            found = self._of_core(core)
            if found is None:
                continue
            begin, end = found
            if end is None:
                counts = statistics[core]
                time_ps = max(begin.time_ps, ends_ps.get(core, self._chip.time_ps))
                end = _Instant(time_ps, counts["cycles"], counts, -1)
            cores.append(_core(core, begin, end))
        return None if not cores else _whole(self._where.name, cores)

    def parts(self) -> Parts:
        """Which parts of each core's cycles are of the region."""
        found = ((core, self._of_core(core)) for core in self._cores)
        return Parts(
            self._where.name,
            {
                core: (both[0].number, None if both[1] is None else both[1].number)
                for core, both in found
                if both is not None
            },
        )

    def _of_core(self, core: int) -> tuple[_Instant, _Instant | None] | None:
        begin: _Instant | None = None
        end: _Instant | None = None
        for taken in self._chip.snapshots(core):
            if not self._is_meant(taken.word):
                continue
            now = _Instant(taken.time_ps, taken.cycle, taken.counters, taken.number)
            if begin is None:
                begin = now if taken.address in self._where.begins else None
            elif taken.address in self._where.ends and (end is None or self._where.until_last):
                end = now
        return None if begin is None else (begin, end)

    def _is_meant(self, word: int) -> bool:
        if self._where.argument is not None:
            self.others.add(_name_at(self._program, word))
        return is_meant(self._program, self._where, word)


def _core(core: int, begin: _Instant, end: _Instant) -> formats.RegionCore:
    return {
        "core": core,
        "begin_ps": begin.time_ps,
        "end_ps": end.time_ps,
        "cycles": end.cycles - begin.cycles,
        "counters": {
            "core": _between(begin.counters["core"], end.counters["core"]),
            "cache": _between(begin.counters["cache"], end.counters["cache"]),
        },
    }


def _between(begin: Any, end: Any) -> Any:
    """The differences of all counters, in groups and lists as they are."""
    if isinstance(begin, dict):
        return {name: _between(count, end[name]) for name, count in begin.items()}
    if isinstance(begin, list):
        return [_between(*both) for both in zip(begin, end, strict=True)]
    return end - begin


def _whole(name: str, cores: list[formats.RegionCore]) -> formats.Region:
    begin = min(core["begin_ps"] for core in cores)
    end = max(core["end_ps"] for core in cores)
    return {
        "name": name,
        "begin_ps": begin,
        "end_ps": end,
        "time_ps": end - begin,
        "instructions": sum(core["counters"]["core"]["instructions"] for core in cores),
        "totals": misses([core["counters"] for core in cores]),
        "cores": cores,
    }


def with_energy(roi: formats.Region, report: Energy) -> formats.Region:
    """The region with its energy, from the run's samples: within one sample in proportion."""
    samples = report["samples"]
    start, total = samples["start_ps"], 0
    for end, domains in zip(samples["end_ps"], samples["domains_fj"], strict=True):
        common = min(end, roi["end_ps"]) - max(start, roi["begin_ps"])
        if common > 0:
            total += sum(domains) * common // (end - start)
        start = end
    time_ps = roi["time_ps"]
    return {
        **roi,
        "energy": {
            "total_fj": total,
            "mean_uw": energy.power_uw(total, time_ps),
            "edp_pj_s": energy.delay_product(total, time_ps),
        },
    }


def names(found: Iterable[str]) -> str:
    """Regions of a run in words."""
    return ", ".join(sorted(found)) or "none"
