"""A connection of `rck run --socket`: what it has sent and what it has not read, both bounded.

Nothing here waits: what a client does not read is kept, and while much is kept it is not heard. A
client is overdue that has read nothing of an answer, or has not ended a line, for some seconds.
"""

from __future__ import annotations

import json
import socket
import time
from dataclasses import dataclass
from typing import Any

from rockcreek.socket_server.requests import Answer

# A request that writes the most that there may be is half as long.
LONGEST_LINE = 1 << 22
# Of answers that are not read: no more is asked for then.
_MOST_UNREAD = 1 << 20
# How long a client may owe something.
OVERDUE_S = 5.0


@dataclass(eq=False)
class Peer:
    """A client, and what it wants of the chip."""

    connection: socket.socket
    holds: bool = False
    # The request's id, and the instant at which the client asked to be notified and to get the
    # chip; None if it asked for none.
    due: tuple[Any, int] | None = None
    # Has made a request: then a chip at rest waits for it.
    has_asked: bool = False
    gone: bool = False

    def __post_init__(self) -> None:
        self.connection.setblocking(False)
        self.heard_s = time.monotonic()
        self._heard = bytearray()
        self._unread = bytearray()
        self._line_since_s: float | None = None
        self._unread_since_s: float | None = None

    @property
    def wants_to_write(self) -> bool:
        return bool(self._unread)

    @property
    def has_request(self) -> bool:
        """Whether a request is whole, and the answers before have been read."""
        return len(self._unread) < _MOST_UNREAD and b"\n" in self._heard

    @property
    def is_done(self) -> bool:
        """Whether it has gone, and all that it asked is answered."""
        return self.gone and not self.has_request and not self._unread

    def overdue(self) -> str | None:
        """Why there is no more waiting for it."""
        now = time.monotonic()
        for since_s, what in (
            (self._unread_since_s, "it has read nothing"),
            (self._line_since_s, "it has not ended its request"),
        ):
            if since_s is not None and now - since_s >= OVERDUE_S:
                return f"{what} for {OVERDUE_S:g} s"
        return None

    def receive(self) -> str | None:
        """Take what has come; why the client must go, if it must."""
        if self.gone or len(self._unread) >= _MOST_UNREAD or b"\n" in self._heard:
            return None
        try:
            data = self.connection.recv(1 << 16)
        except BlockingIOError:
            return None
        except OSError:
            data = b""
        if not data:
            self.gone = True
            return None
        self._heard += data
        self.heard_s = time.monotonic()
        self._begin_line()
        if len(self._heard) > LONGEST_LINE and b"\n" not in self._heard:
            return f"its request is longer than {LONGEST_LINE} bytes"
        return None

    def next_line(self) -> bytes | None:
        """The next request, if there is one."""
        if not self.has_request:
            return None
        end = self._heard.find(b"\n")
        line = bytes(self._heard[:end])
        del self._heard[: end + 1]
        self._line_since_s = None
        self._begin_line()
        return line

    def _begin_line(self) -> None:
        if not self._heard or b"\n" in self._heard:
            self._line_since_s = None
        elif self._line_since_s is None:
            self._line_since_s = time.monotonic()

    def reply(self, document: Answer) -> None:
        """Send it an answer; what it does not take now waits."""
        self._unread += json.dumps(document).encode() + b"\n"
        self.send()

    def send(self) -> None:
        """Sends as many unread bytes as the connection takes without waiting."""
        try:
            while self._unread:
                count = self.connection.send(memoryview(self._unread)[: 1 << 16])
                del self._unread[:count]
                self._unread_since_s = None
        except BlockingIOError:
            if self._unread_since_s is None:
                self._unread_since_s = time.monotonic()
        except OSError:
            self.gone = True
            self._unread.clear()
            self._heard.clear()
