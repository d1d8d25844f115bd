"""What a chip's checkers watch, and what they have found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rockcreek import _native as native
    from rockcreek.formats.engine import RawBlock, RawBlockFinding, RawFinding, RawRace
    from rockcreek.formats.statistics import RegionCounters


class Snapshot(NamedTuple):
    """What a core had counted when it retired an instruction."""

    address: int
    word: int  # the second one of the stack
    time_ps: int
    cycle: int  # of the core
    counters: RegionCounters
    number: int  # how many the core had taken before


class ChipChecks:
    """The checks of a `Chip`."""

    _native: native.Chip

    def start_check(self, cores: Iterable[int], *marks: list[int], races: bool | None) -> None:
        """Check coherence from now on, and races: in all memory, message buffers (False) or none.
        Instructions are marks: that release, that acquire, to which allocators come back, at which
        a threads' layer announces an event."""
        self._native.start_check(races)
        for core in cores:
            self._native.set_check_marks(core, *marks)

    def set_snapshots(self, cores: Iterable[int], addresses: list[int]) -> None:
        """Keep what each core has counted when it retires these instructions of ring 3."""
        for core in cores:
            self._native.set_snapshots(core, addresses)

    def snapshots(self, core: int) -> list[Snapshot]:
        """The snapshots in order."""
        taken = self._native.snapshots(core)
        return [
            Snapshot(at, word, ps or 0, cycle, counters, number)
            for at, word, ps, cycle, counters, number in taken
        ]

    def translate(self, core: int, address: int) -> int | None:
        """The address to which this core's page tables map a linear address; None if unmapped."""
        return self._native.translate(core, address)

    def watch_program(
        self,
        shared: list[tuple[int, int]],
        code: tuple[int, int],
        helpers: list[tuple[int, int]],
        text: tuple[int, int],
    ) -> None:
        """Look for races of a program's threads besides: what they share, the program's own code,
        functions that access memory for their callers, all code of the image."""
        self._native.watch_program(shared, code, helpers, text)

    def watch_blocks(
        self,
        shared: list[tuple[int, int]],
        code: tuple[int, int],
        helpers: list[tuple[int, int]],
        text: tuple[int, int],
        allocators: list[native.AllocatorRow],
        *,
        one: bool,
    ) -> None:
        """Keep the books of a program's blocks of memory: where they may lie, the program's own
        code, other code that is watched, all code of the image, the functions that allocate and
        free, and whether all cores share one address space."""
        self._native.watch_blocks(shared, code, helpers, text, allocators, one)

    def watch_values(self, code: list[tuple[int, bytes]], layer: list[tuple[int, int]]) -> None:
        """Follow each instruction of the program besides: values that were never written, pointers
        that leave their block. All code of the program and of the kernel, by first addresses; the
        parts of the layer under threads, whose own doings are no mistakes of the program."""
        self._native.watch_values(code, layer)

    def set_check_borders(self, cores: Iterable[int], first: list[int], last: list[int]) -> None:
        """The first and the last instructions of those functions."""
        for core in cores:
            self._native.set_check_borders(core, first, last)

    def block_findings(self) -> tuple[list[RawBlockFinding], int]:
        """Mistakes with blocks, and how many more there was no place for."""
        return self._native.block_findings()

    def live_blocks(self, roots: list[tuple[int, int]]) -> list[tuple[RawBlock, bool]]:
        """The blocks that are not freed, and for each whether no word of the roots, or of a block
        that they reach, points to it."""
        return self._native.live_blocks(roots)

    def program_races(self) -> tuple[list[RawRace], int]:
        """The races of a program's threads, and how many more there was no place for."""
        return self._native.program_races()

    def check_findings(self) -> list[RawFinding]:
        return self._native.check_findings()
