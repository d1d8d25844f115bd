"""The end of a program of threads all of which wait for ever.

Its chip never comes to rest: a core that sleeps wakes a few times a second and looks whether the
others are still there. Here the threads' tables are looked at, between slices and without cost for
the guest; two looks that find the same sleep have found its end.
"""

from __future__ import annotations

from collections.abc import Sequence

from rockcreek.chip import Chip
from rockcreek.chip.looks import Looks
from rockcreek.deadlocks.thread_tables import State, ThreadTables
from rockcreek.software import libraries
from rockcreek.software.image import Image

# Between two looks: at first, and at most for a program that goes on. Sleeping cores pass a
# simulated second in some 15 ms of the host.
_FIRST_PS, _MOST_PS = 10**11, 10**12
# What makes a handler, and the functions of the layers that do so for themselves.
_HANDLERS = ("sigaction", "signal")
_LAYER = ("crf_", "svm_owner_", "on_fault")


class ThreadsAtRest(Looks):
    """Whether the threads wait for ever."""

    def __init__(self, chip: Chip, cores: Sequence[int], program: Image) -> None:
        super().__init__(chip, _FIRST_PS, _MOST_PS)
        self._cores = cores
        self._tables = ThreadTables(chip, cores, program)
        self._before: bytes | None = None

    def _look(self) -> tuple[bool, bool]:
        now = self._asleep_for_ever()
        found = now is not None and now == self._before
        self._before = now
        return found, now is not None

    def _asleep_for_ever(self) -> bytes | None:
        """The tables, if nothing in them can let a thread go on: no time that one waits for, no
        signal that one handles, no wake that is under way."""
        if not self._tables.all_asleep() or self._chip.exits():
            return None
        control = self._tables.control()
        if control is None or control.actions_set or control.ending or control.signals:
            return None
        for core in self._cores:
            for turn, _ in self._tables.turns(core):
                record = control.thread[turn.number]
                if not turn.waits or record.wake or turn.signals:
                    return None
                if record.state == State.RUNS and (turn.until or turn.until_high):
                    return None
        # Cores that look after each other write to the words before the threads' records.
        return bytes(control)[type(control).thread.offset :]


def watch(chip: Chip, cores: Sequence[int], program: Image) -> ThreadsAtRest | None:
    """For a program of threads that no signal and no timer wakes."""
    if not libraries.has_threads(program) or _handles_signals(program):
        return None
    return ThreadsAtRest(chip, cores, program)


def _handles_signals(program: Image) -> bool:
    """Whether code that is not the layer's own may ask for a signal, or for a timer's thread."""
    callers = {program.function_at(at - 1) or "" for at in program.returns_from(_HANDLERS)}
    symbols = program.symbols
    # `signal` is made of `sigaction`, and has several names.
    rest = [n for n in callers if symbols.get(n) != symbols.get("signal")]
    return not all(name.startswith(_LAYER) for name in rest) or "timer_create" in symbols
