"""Output of several cores that is one text: of a program whose threads run on them, or of a system
that all of them carry.

A core that has begun a line goes on with it, and what the others write meanwhile waits for the
line's end. A line that one core begins may be another's to end: a core that writes nothing for a
while has left its line to them. All of it depends on simulated time alone.
"""

from __future__ import annotations

from collections.abc import Callable

# Far longer than what a core does between two pieces of a line that it writes, and too short to
# be noticed.
PAUSE_PS = 10**9


class OneStream:
    """Lines stay whole, as long as nobody pauses within one."""

    def __init__(self, emit: Callable[[bytes], None]) -> None:
        self._emit = emit
        self._waiting: dict[int, bytes] = {}  # by core, the oldest first
        self._last_ps: dict[int, int] = {}
        self._writer: int | None = None  # whose line is unfinished

    def feed(self, time_ps: int, core: int, data: bytes) -> None:
        """Take what a core writes; times never go back."""
        self.pass_time(time_ps)
        self._waiting[core] = self._waiting.get(core, b"") + data
        self._last_ps[core] = time_ps
        if self._writer in (None, core):
            self._take(core)
            self._take_turns()

    @property
    def holds_text(self) -> bool:
        return bool(self._waiting)

    def flush(self) -> None:
        """All that waits: the run ends, or somebody is asked for input."""
        while self._waiting:
            self._writer = None
            self._take_turns()

    def pass_time(self, now_ps: int) -> None:
        """Nothing before this instant comes any more."""
        while (
            self._waiting
            and self._writer is not None
            and now_ps >= self._last_ps[self._writer] + PAUSE_PS
        ):
            self._writer = None
            self._take_turns()

    def _take_turns(self) -> None:
        while self._writer is None and self._waiting:
            self._take(next(iter(self._waiting)))

    def _take(self, core: int) -> None:
        """Write the core's lines. It keeps the one that it has begun, unless others wait."""
        lines, end, rest = self._waiting.pop(core).rpartition(b"\n")
        self._writer = None
        if end and rest and self._waiting:
            self._waiting[core] = rest
            self._emit(lines + end)
            return
        self._emit(lines + end + rest)
        if rest:
            self._writer = core
