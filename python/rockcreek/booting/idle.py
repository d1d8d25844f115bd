"""A boot in progress: as a run, but for consoles on which somebody types, and for cores at rest."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rockcreek.chip.pace import EVERY_PS, Pace
from rockcreek.consoles.terminal import Terminal
from rockcreek.results.result import END_CONSOLE, END_DEADLOCK, END_FAULT, END_IDLE
from rockcreek.running.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rockcreek.chip import Chip, Exit
    from rockcreek.consoles.console_grid import View

_IDLE_WAIT_S = 0.1
# A halted core is a kernel that waits, and a core in reset executes nothing.
AT_REST = frozenset({"halted", "reset"})


def not_at_rest(chip: Chip, cores: Iterable[int]) -> list[int]:
    """The cores that are neither halted nor in reset."""
    return [core for core in cores if chip.core(core)["state"] not in AT_REST]


@dataclass
class BootSession(Session):
    """A chip at rest has ended, unless somebody sits at a console. At a terminal its time passes no
    faster than that of whoever sits there."""

    terminal: Terminal | None = None
    console_core: int = 0
    view: View | None = None
    _pace: Pace | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.terminal is not None and self.terminal.is_terminal:
            self._pace = Pace(self.chip.time_ps)

    def _next_stop_ps(self) -> int | None:
        stop = super()._next_stop_ps()
        if self._pace is None:
            return stop
        soon = self.chip.time_ps + EVERY_PS
        return soon if stop is None else min(stop, soon)

    def _told_to_end(self) -> str | None:
        if self.terminal is None:
            return None
        self._wait_for_keys()
        if self.view is not None:
            self.view.refresh()
        return END_CONSOLE if self.terminal.ended else None

    def _wait_for_keys(self) -> None:
        if self._pace is None:
            self._pass_on(0)
            return
        self._pass_on(self._pace.ahead_s(self.chip.time_ps))
        self._pace.restart(self.chip.time_ps)

    def _at_rest(self) -> str | None:
        if self._fault_until_ps is not None:
            return END_FAULT
        if self.terminal is None or (self.until_ps and self.chip.time_ps >= self.until_ps):
            exits = self.chip.exits()
            gone = self._told_of(exits)
            left = [core for core in self.cores if core not in exits and core not in gone]
            polls = not_at_rest(self.chip, left)
            return END_DEADLOCK if polls else END_IDLE
        self._pass_on(_IDLE_WAIT_S)
        return None

    def _told_of(self, exits: Mapping[int, Exit]) -> set[int]:
        """Cores that a fault has stopped, if a system that lost them has ended itself and says so
        by its exit code."""
        if self.faults is None or not any(end.code for end in exits.values()):
            return set()
        self.faults.collect(self.chip)
        return self.faults.hung()

    def _pass_on(self, timeout_s: float) -> None:
        assert self.terminal is not None
        typed = self.terminal.typed(timeout_s)
        parts = [(self.console_core, typed)] if self.view is None else self.view.route(typed)
        for core, data in parts:
            if data:
                self.chip.input(core, data)
