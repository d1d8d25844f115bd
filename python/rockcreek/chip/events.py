"""A chip that runs while Python functions observe it.

Functions of `observe` are called between slices of the engine, with the events in the order of
simulated time. Functions of `observe_every` are called at their instants, with the chip stopped.
"""

from __future__ import annotations

import operator
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rockcreek.errors import UsageError

if TYPE_CHECKING:
    from rockcreek.chip import Exit

Kind = Literal["exit", "mark", "output"]
_KINDS = ("exit", "mark", "output")


@dataclass(frozen=True)
class Event:
    """Something that happened on a core."""

    kind: Kind
    time_ps: int
    core: int
    value: Exit | int | bytes  # how it ended; the mark's number; what it wrote
    port: int = 0  # of output: 0 for stdout, 1 for stderr


@dataclass
class _Clock:
    every_ps: int
    next_ps: int
    call: Callable[[], object]


class ChipEvents:
    """The part of `Chip` that runs under the eyes of observers."""

    _observers: dict[Kind, list[Callable[[Event], object]]]
    _clocks: list[_Clock]
    _told_exits: set[int]
    _told_marks: int

    def _watch_nothing(self) -> None:
        self._observers = {}
        self._clocks = []
        self._told_exits = set()
        self._told_marks = 0

    @abstractmethod
    def run_slice(self, until_ps: int | None = None) -> str: ...
    @abstractmethod
    def exits(self) -> dict[int, Exit]: ...
    @abstractmethod
    def marks(self) -> list[tuple[int, int, int]]: ...
    @abstractmethod
    def output(self) -> list[tuple[int, int, int, bytes]]: ...
    @property
    @abstractmethod
    def time_ps(self) -> int: ...

    def observe(self, kind: Kind, call: Callable[[Event], object]) -> None:
        """Call a function with each `exit`, `mark` or piece of `output` from now on.

        Output that an observer was given does not come from `output()` again.
        """
        if kind not in _KINDS:
            raise UsageError(f"there is no event {kind!r}", hint=f"there are {', '.join(_KINDS)}")
        self._observers.setdefault(kind, []).append(call)

    def observe_every(self, every_ps: int, call: Callable[[], object]) -> None:
        """Call a function at instants so far apart, with the chip stopped at each."""
        if every_ps <= 0:
            raise UsageError(
                f"every_ps: {every_ps} ps between two calls",
                hint="the time between calls must be greater than 0, for example 10**9",
            )
        self._clocks.append(_Clock(every_ps, self.time_ps + every_ps, call))

    def run(self, *, until_ps: int | None = None, until_event: Kind | None = None) -> str:
        """Run to an instant, or to the end of the slice that has an event; why it returned:
        until, event, ended, idle or input. Ctrl-C raises between slices: the chip can go on."""
        while True:
            due = min((clock.next_ps for clock in self._clocks), default=None)
            limits = [limit for limit in (until_ps, due) if limit is not None]
            status = self.run_slice(min(limits, default=None))
            seen = self._tell(until_event)
            if status == "until":
                self._tick()
            if seen:
                return "event"
            reached = until_ps is not None and self.time_ps >= until_ps
            if status not in ("slice", "until") or (status == "until" and reached):
                return status

    def _tick(self) -> None:
        for clock in self._clocks:
            if self.time_ps >= clock.next_ps:
                clock.next_ps += clock.every_ps
                clock.call()

    def _tell(self, wanted: Kind | None) -> bool:
        """Report what is new to observers; true if an event was of the wanted kind."""
        events = self._new(wanted)
        for event in sorted(events, key=operator.attrgetter("time_ps", "core")):
            for call in self._observers.get(event.kind, ()):
                call(event)
        return any(event.kind == wanted for event in events)

    def _new(self, wanted: Kind | None) -> list[Event]:
        asked = {*self._observers, wanted}
        events: list[Event] = []
        if "exit" in asked:
            ended = {c: e for c, e in self.exits().items() if c not in self._told_exits}
            self._told_exits.update(ended)
            events += [Event("exit", end.time_ps, core, end) for core, end in ended.items()]
        if "mark" in asked:
            marks = self.marks()[self._told_marks :]
            self._told_marks += len(marks)
            events += [Event("mark", time_ps, core, mark) for time_ps, core, mark in marks]
        if "output" in asked:
            events += [
                Event("output", time_ps, core, data, port)
                for time_ps, core, port, data in self.output()
            ]
        return events
