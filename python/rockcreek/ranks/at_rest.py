"""The end of a program of MPI all of whose ranks wait for ever.

Ranks that wait poll their message buffers, so the chip never comes to rest. Here the ranks are
looked at between slices, at no cost in simulated time. Three looks between which no rank has
called anything, sent or received, and two that find all ranks polling in a call that waits for
messages alone, have found its end.
"""

from __future__ import annotations

from collections.abc import Sequence

from rockcreek.chip import Chip
from rockcreek.chip.looks import Looks
from rockcreek.deadlocks.calls import Kind
from rockcreek.deadlocks.waits import Waits
from rockcreek.inspection.backtrace import Locator
from rockcreek.ranks.calls_of_mpi import WORLDS
from rockcreek.software.image import Image

# A function of the channel, which is called whenever a rank has sent or received something.
_STIRRED = "rckmpi_stir"
_POLLS = "MPIDI_CH3I_Progress"
# A program with one of these may be woken out of its wait.
_TIMERS = {"alarm", "setitimer", "ualarm", "timer_create"}
# Between two looks. A message that is under way arrives within some 100 us.
_FIRST_PS, _MOST_PS = 25 * 10**9, 400 * 10**9
_WAITS = (Kind.RECEIVE, Kind.SEND, Kind.BARRIER, Kind.COLLECTIVE, Kind.MPI)


class RanksAtRest(Looks):
    """Whether the ranks wait for ever."""

    def __init__(self, chip: Chip, cores: Sequence[int], program: Image, kernel: Image) -> None:
        super().__init__(chip, _FIRST_PS, _MOST_PS)
        self._cores = cores
        self._locator = Locator(chip, kernel, program)
        self._waits = Waits(chip, cores, kernel, program)
        self._stirred = program.symbols[_STIRRED]
        self._before: object = None
        self._waited = False
        for core in cores:
            chip.set_probes(core, [self._stirred])

    def _look(self) -> tuple[bool, bool]:
        now = self._counts()
        alike, self._before = now == self._before, now
        waits = alike and self._all_wait()
        found, self._waited = waits and self._waited, waits
        works = alike and not waits
        return found, not works

    def _counts(self) -> object:
        """How often each rank has called what may wait, and sent or received something."""
        return self._chip.probe_counts(), sorted(self._chip.exits())

    def _all_wait(self) -> bool:
        exits = self._chip.exits()
        if any(end.reason != "exit" for end in exits.values()):
            return False
        left = [core for core in self._cores if core not in exits]
        return bool(left) and all(map(self._waits_in_mpi, left))

    def _waits_in_mpi(self, core: int) -> bool:
        """Whether a core is in a call of MPI and polls: calls also copy and compute."""
        place = self._locator.of_core(core)
        wait = self._waits.of(place)
        polls = any(frame.function == _POLLS for frame in place.frames)
        return polls and wait.kind in _WAITS and wait.call.startswith("MPI_")


def watch(chip: Chip, cores: Sequence[int], program: Image, kernel: Image) -> RanksAtRest | None:
    """For a program of MPI that sets no timer and neither starts nor joins others."""
    names = program.symbols
    if _STIRRED not in names or _TIMERS & names.keys() or any(world in names for world in WORLDS):
        return None
    return RanksAtRest(chip, cores, program, kernel)
