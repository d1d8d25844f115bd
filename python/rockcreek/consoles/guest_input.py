"""Guest input: bytes are read from the host only when a core waits for them.

Simulated time stands still while a core waits for the host, so a result depends on what the
input is and never on when it came.
"""

from __future__ import annotations

import os
import select
from typing import Protocol

_CHUNK = 65536


class Source(Protocol):
    """A source of guest input."""

    @property
    def terminal(self) -> bool:
        """Whether somebody types it: guests ask with isatty."""

    def read(self, timeout_s: float) -> bytes | None:
        """The next bytes; `b""` at the end; None when nothing came in time."""


class MemorySource:
    """Input given by a Python caller."""

    def __init__(self, data: bytes, *, terminal: bool = False) -> None:
        self._data = data
        self.terminal = terminal

    def read(self, timeout_s: float) -> bytes | None:
        data, self._data = self._data, b""
        return data


class FdSource:
    """A host file descriptor; one that is closed or unreadable is at its end."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    @property
    def terminal(self) -> bool:
        try:
            return os.isatty(self._fd)
        except OSError:
            return False

    def read(self, timeout_s: float) -> bytes | None:
        try:
            if not select.select([self._fd], [], [], timeout_s)[0]:
                return None
            return os.read(self._fd, _CHUNK)
        except OSError:
            return b""


class Feeder:
    """Hands the source's bytes to the cores that are connected to it; each gets all."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._seen = bytearray()
        self._given: dict[int, int] = {}
        self._ended = False

    def next_for(self, core: int, timeout_s: float) -> tuple[bytes, bool] | None:
        """The next input of this core, and True at its end; None: nothing came yet."""
        given = self._given.get(core, 0)
        if given == len(self._seen) and not self._ended:
            data = self._source.read(timeout_s)
            if data is None:
                return None
            self._ended = not data
            self._seen += data
        self._given[core] = len(self._seen)
        return bytes(self._seen[given:]), self._ended
