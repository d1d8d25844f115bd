"""Progress of a long run, on stderr: wall time, simulated time, MIPS, slowdown.

On a terminal one line is rewritten once a second; elsewhere (a log file) one line is added every
thirty seconds. Nothing is shown in the first two seconds.
"""

from __future__ import annotations

import sys
from typing import TextIO

from rockcreek.units import format_ps, format_slowdown

_QUIET_S = 2.0
_TERMINAL_PERIOD_S = 1.0
_LOG_PERIOD_S = 30.0
_ERASE_LINE = "\r\x1b[K"


class Progress:
    """Shows how a run gets on; a no-op when disabled."""

    def __init__(self, *, enabled: bool, stream: TextIO | None = None) -> None:
        self._enabled = enabled
        self._stream = stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._next_s = _QUIET_S if self._terminal else _LOG_PERIOD_S
        self._shown = False

    def is_due(self, wall_s: float) -> bool:
        """Whether `update` would print now."""
        return self._enabled and wall_s >= self._next_s

    def update(self, wall_s: float, time_ps: int, instructions: int) -> None:
        """Tell the current state; prints when it is time to."""
        if not self.is_due(wall_s):
            return
        self._next_s = wall_s + (_TERMINAL_PERIOD_S if self._terminal else _LOG_PERIOD_S)
        text = (
            f"rck: {wall_s:.0f} s: {format_ps(time_ps)} simulated, "
            f"{instructions / wall_s / 1e6:.1f} MIPS, {format_slowdown(wall_s, time_ps)}"
        )
        self._write(f"{_ERASE_LINE}{text}" if self._terminal else f"{text}\n")
        self._shown = self._terminal

    def clear(self) -> None:
        """Remove the line, before other text is written to the terminal."""
        if self._shown:
            self._write(_ERASE_LINE)
            self._shown = False

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            # Progress is a courtesy: a closed stderr must not end the run.
            self._enabled = False
