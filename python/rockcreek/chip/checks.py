"""What a chip's checkers watch, and what they have found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rockcreek import _native as native


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

    def translate(self, core: int, address: int) -> int | None:
        """Where this core's page tables have a linear address now; None where nothing is mapped."""
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

    def program_races(self) -> tuple[list[dict[str, Any]], int]:
        """The races of a program's threads, and how many more there was no place for."""
        return self._native.program_races()

    def check_findings(self) -> list[dict[str, Any]]:
        return self._native.check_findings()
