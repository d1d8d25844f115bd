"""Looks at a running chip at simulated instants that do not depend on the host."""

from __future__ import annotations

from abc import ABC, abstractmethod

from rockcreek.chip import Chip


class Looks(ABC):
    """Looks after `first_ps`, and less often while nothing of interest is seen: the distance in
    time then doubles, up to `most_ps`."""

    def __init__(self, chip: Chip, first_ps: int, most_ps: int) -> None:
        self._chip = chip
        self._first_ps, self._most_ps = first_ps, most_ps
        self._every_ps = first_ps
        self._next_ps = chip.time_ps + first_ps

    @property
    def next_ps(self) -> int:
        """The instant of the next look, at which the chip must stand."""
        return self._next_ps

    def is_found(self) -> bool:
        """Whether what is looked for is there; looks if it is time to."""
        if self._chip.time_ps < self._next_ps:
            return False
        found, soon = self._look()
        self._every_ps = self._first_ps if soon else min(2 * self._every_ps, self._most_ps)
        self._next_ps = self._chip.time_ps + self._every_ps
        return found

    @abstractmethod
    def _look(self) -> tuple[bool, bool]:
        """Whether it is there, and whether to look again after `first_ps`."""
