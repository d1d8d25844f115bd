"""One core's serial console on the user's terminal.

On a terminal keys go to the core as they are typed, Ctrl-C among them, and Ctrl-] ends the run.
Standard input that is no terminal is read to its end before the chip starts, so that a run with it
is the same every time.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager

END_KEY = b"\x1d"
_CHUNK = 4096


class Terminal:
    """The host's side of a console: what was typed, and whether the user has had enough."""

    def __init__(self, fd: int = 0) -> None:
        self._fd = fd
        self.is_terminal = os.isatty(fd)
        self.ended = False

    def read_all(self) -> bytes:
        """Everything up to the end of an input that is no terminal."""
        parts = []
        try:
            while part := os.read(self._fd, 1 << 16):
                parts.append(part)
        except OSError:
            pass
        self.ended = True
        return b"".join(parts)

    def typed(self, timeout_s: float) -> bytes:
        """The keys that came within this time; sets `ended` at Ctrl-] or the end of the input."""
        if self.ended:
            return b""
        try:
            if not select.select([self._fd], [], [], timeout_s)[0]:
                return b""
            data = os.read(self._fd, _CHUNK)
        except OSError:
            data = b""
        before, key, _ = data.partition(END_KEY)
        self.ended = bool(key) or not data
        return before

    @contextmanager
    def raw(self) -> Iterator[None]:
        """The terminal in raw mode; the guest echoes and edits."""
        if not self.is_terminal:
            yield
            return
        import termios
        import tty

        before = termios.tcgetattr(self._fd)
        print("rck: Ctrl-] ends the console", file=sys.stderr, flush=True)
        try:
            tty.setraw(self._fd, termios.TCSADRAIN)
            # A guest's line feeds, and our own messages, still begin new lines.
            mode = termios.tcgetattr(self._fd)
            mode[1] |= termios.OPOST | termios.ONLCR
            termios.tcsetattr(self._fd, termios.TCSADRAIN, mode)
            yield
        finally:
            termios.tcsetattr(self._fd, termios.TCSADRAIN, before)
