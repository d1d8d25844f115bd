"""`--threads`: whether host threads help is measured while the program runs.

Threads help programs whose cores compute for long between messages, and cost the others time. So
now and then turns are taken on one thread and on as many as were asked for (`auto`: as there are
processors): those go on that simulate more in a second of the host's. A run begins on the threads
that were asked for, with `auto` on one. No result depends on it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from rockcreek.chip import Chip
from rockcreek.errors import UsageError
from rockcreek.running.attachments import Attachment

# Each has its own translated code.
MOST_THREADS = 64

# With `auto` shorter runs stay on one thread. Threads that were asked for are tried at once: if
# they do not help, they shall not cost a run of a second much.
FIRST_TRIAL_S = 1.0
# Until the next trial; twice as long each time that nothing changes. The start of a program says
# little of the rest, so the second trial comes soon.
BETWEEN_S = 2.0
LONGEST_BETWEEN_S = 80.0
# A trial's turns: on many, one, many, one. Each is a part of the time until the next trial, and
# what comes before its `WARM` part is not counted: threads wake and translate.
TURNS = 4
TURN = 0.05
LONGEST_TURN_S = 0.35
WARM = 0.3
# Threads that gain less than this take another's processors for nothing.
WORTH = 1.05


def threads_asked(asked: int | str) -> int | None:
    """The number of threads that were asked for, at most; None for `auto`."""
    if asked == "auto":
        return None
    if not isinstance(asked, int) or not 1 <= asked <= MOST_THREADS:
        raise UsageError(
            f"threads: '{asked}' is neither a number from 1 to {MOST_THREADS} nor `auto`",
            hint="auto measures how many help; the results are the same",
        )
    return asked


def processors() -> int:
    """How many host threads may run at the same time."""
    mine = getattr(os, "sched_getaffinity", None)
    count = len(mine(0)) if mine else os.cpu_count() or 1
    return min(count, MOST_THREADS)


@dataclass
class ThreadChoice(Attachment):
    """The number of host threads of one run, chosen again and again."""

    chip: Chip
    many: int = field(default_factory=processors)
    threads: int = 1  # the chip's
    clock: Callable[[], float] = time.monotonic
    _due: float = field(init=False)
    _between: float = field(default=BETWEEN_S, init=False)
    _chosen: int = field(init=False)
    _turn: _Turn | None = field(default=None, init=False)
    _rates: dict[int, list[float]] = field(default_factory=dict, init=False)
    _turns: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._chosen = self.threads
        self._due = self.clock() + (FIRST_TRIAL_S if self.threads == 1 else 0)

    def after_slice(self) -> None:
        """Looks at what the last slice of the run shows, and sets the chip's threads."""
        now = self.clock()
        if self._turn is None:
            if now >= self._due and self.many > 1:
                self._begin(self.many, now)
        elif self._turn.note(now, self.chip.time_ps):
            self._rates.setdefault(self.threads, []).append(self._turn.rate)
            self._turns += 1
            if self._turns < TURNS:
                self._begin(1 if self.threads > 1 else self.many, now)
            else:
                self._choose(now)

    def _begin(self, threads: int, now: float) -> None:
        self._set(threads)
        self._turn = _Turn(now, min(TURN * self._between, LONGEST_TURN_S))

    def _choose(self, now: float) -> None:
        """Takes the number of threads that did more; measures less often while that stays."""
        gain = sum(self._rates[self.many]) > WORTH * sum(self._rates[1])
        best = self.many if gain else 1
        same = best == self._chosen
        self._between = min(2 * self._between, LONGEST_BETWEEN_S) if same else BETWEEN_S
        self._chosen, self._turn, self._turns = best, None, 0
        self._rates.clear()
        self._due = now + self._between
        self._set(best)

    def _set(self, threads: int) -> None:
        if threads != self.threads:
            self.threads = threads
            self.chip.set_threads(threads)


@dataclass
class _Turn:
    """A stretch of the host's time on one number of threads."""

    begin: float
    lasts_s: float
    counted: float | None = None
    time_ps: int = 0
    rate: float = 0.0  # simulated ps a second

    def note(self, now: float, time_ps: int) -> bool:
        """A slice has ended; whether the turn is over."""
        if self.counted is None:
            if now >= self.begin + WARM * self.lasts_s:
                self.counted, self.time_ps = now, time_ps
            return False
        if now < self.begin + self.lasts_s or now <= self.counted:
            return False
        self.rate = (time_ps - self.time_ps) / (now - self.counted)
        return True
