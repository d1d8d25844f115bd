"""Progress of a long run, on stderr: wall time, simulated time, MIPS, slowdown, what is left.

On a terminal it is rewritten once a second, with the die below it if there is room; elsewhere (a
log file) one line is added every thirty seconds. Nothing is shown in the first two seconds.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from typing import TextIO

from rockcreek.units import format_ps, format_slowdown

QUIET_S = 2.0
_TERMINAL_PERIOD_S = 1.0
_LOG_PERIOD_S = 30.0
_ERASE_LINE = "\r\x1b[K"
_UP_AND_ERASE = "\x1b[A\r\x1b[K"
# Lines of a terminal that are left to what the guests write.
_LEFT_TO_GUESTS = 8


class Progress:
    """Shows how a run gets on; a no-op when disabled."""

    def __init__(
        self,
        *,
        enabled: bool,
        until_ps: int | None = None,
        began_ps: int = 0,
        began_instructions: int = 0,
        die: Callable[[], Sequence[str]] = tuple,
        stream: TextIO | None = None,
    ) -> None:
        self._enabled = enabled
        self._until_ps = until_ps
        # What a snapshot had behind it: this run's speed is that of what it has done since.
        self._began_ps = began_ps
        self._began_instructions = began_instructions
        self._die = die  # asked on a terminal only
        self._stream = stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._next_s = QUIET_S if self._terminal else _LOG_PERIOD_S
        self._shown = 0  # lines, below each other

    def is_due(self, wall_s: float) -> bool:
        """Whether `update` would print now."""
        return self._enabled and wall_s >= self._next_s

    def update(self, wall_s: float, time_ps: int, instructions: int) -> None:
        """Print the current state if it is time to."""
        if not self.is_due(wall_s):
            return
        self._next_s = wall_s + (_TERMINAL_PERIOD_S if self._terminal else _LOG_PERIOD_S)
        mips = (instructions - self._began_instructions) / wall_s / 1e6
        text = (
            f"rck: {wall_s:.0f} s: {format_ps(time_ps)} simulated, "
            f"{mips:.1f} MIPS, {format_slowdown(wall_s, time_ps - self._began_ps)}"
            f"{self._left(wall_s, time_ps)}"
        )
        if not self._terminal:
            self._write(f"{text}\n")
            return
        columns, rows = shutil.get_terminal_size()
        drawn = self._die()
        lines = [text[: columns - 1], *drawn] if len(drawn) + _LEFT_TO_GUESTS < rows else [text]
        self.clear()
        self._write("\n".join(lines))
        self._shown = len(lines)

    def _left(self, wall_s: float, time_ps: int) -> str:
        """The estimated time until `--until`, in words; empty without it."""
        passed_ps = time_ps - self._began_ps
        if self._until_ps is None or passed_ps <= 0 or time_ps > self._until_ps:
            return ""
        return f", about {wall_s * (self._until_ps - time_ps) / passed_ps:.0f} s left"

    def clear(self) -> None:
        """Remove what is shown, before other text is written to the terminal."""
        if self._shown:
            self._write(_ERASE_LINE + _UP_AND_ERASE * (self._shown - 1))
            self._shown = 0

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            # Progress is a courtesy: a closed stderr must not end the run.
            self._enabled = False
