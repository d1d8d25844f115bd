"""What a chip has counted and noted: marks, statistics, energies, voltages that do not suffice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rockcreek import printable

if TYPE_CHECKING:
    from rockcreek import _native as native
    from rockcreek.formats.energy import EngineEnergy
    from rockcreek.formats.statistics import Statistics


class ChipCounts:
    """The part of `Chip` that returns what the chip has counted."""

    _native: native.Chip

    def marks(self) -> list[tuple[int, int, int]]:
        """User marks: `(time_ps, core, id)`; the first 100,000."""
        return self._native.marks()

    def marks_dropped(self) -> int:
        """The number of marks that were not kept."""
        return self._native.marks_dropped()

    def check_findings_dropped(self) -> int:
        """The number of findings that came when the checker's places were full."""
        return self._native.check_findings_dropped()

    def check_forgotten(self) -> int:
        """The number of marks, reads and candidates of races that the checker has not kept."""
        return self._native.check_forgotten()

    def statistics(self) -> Statistics:
        """All counters, nested by core, tile, mesh, memory and board."""
        return self._native.statistics()

    def energy(self) -> EngineEnergy:
        """Femtojoules since power-on: by domain, by unit and part, and what was observed."""
        return self._native.energy()

    def observe_energy(self, every_ps: int) -> None:
        """Write energies down at instants so far apart, and at marks; results are the same."""
        self._native.observe_energy(every_ps)

    def start_cycle_profile(self) -> None:
        """Charge cycles to instructions from now on; results are the same."""
        self._native.start_cycle_profile()

    def finish_cycle_profile(self) -> list[native.CoreCharges]:
        """End that: by core its cycles, and `(linear address, in ring 3, cause, cycles)`."""
        return self._native.finish_cycle_profile()

    def start_trace(
        self, entries: list[int] | None, shortest_ps: int, kept: list[int], every_ps: int
    ) -> None:
        """Note calls, returns and interrupts, jumps to `entries`, from now on, unless these are
        None, without calls that return sooner and are not of `kept`; and counts at instants so far
        apart, unless that is 0. Results are the same."""
        self._native.start_trace(entries, shortest_ps, kept, every_ps)

    def feed_trace(self, trace: native.Trace, *, all: bool) -> None:
        """Give a trace what has been noted; with `all` up to the present instant."""
        trace.feed(self._native, all)

    def undervoltage(self) -> tuple[list[tuple[int, int, int, int, int | None]], int]:
        """Tiles whose clock began to need more than their voltage: `(time_ps, tile, divider, level,
        needed level or None)` of the first of them, levels in 6.25 mV; and how many there were."""
        return self._native.undervoltage()

    def refused_voltages(self) -> tuple[list[tuple[int, int, int, int]], int]:
        """Commands that the regulator refused: `(time_ps, core, domain, level)` of the first of
        them; and how many there were."""
        return self._native.refused_voltages()

    def set_strict_voltage(self, on: bool) -> None:
        """Whether a core fails whose clock needs more than its voltage."""
        self._native.set_strict_voltage(on)

    def is_host_code_denied(self) -> bool:
        """Whether this host lets no memory become code, so that all is interpreted."""
        from rockcreek import _native

        return _native.is_host_code_denied()

    def starved_of_files(self) -> int | None:
        """A core whose file the host could not open for want of descriptors: the run is void."""
        return self._native.starved_of_files()

    def refusals(self) -> list[tuple[int, str]]:
        """Guest paths that would have led out of the shared folder: `(core, path)`."""
        return [(core, printable.name(path)) for core, path in self._native.refusals()]
