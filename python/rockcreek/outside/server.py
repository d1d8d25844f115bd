"""Hears requests on a Unix socket while a chip runs, and answers them at instants of its time.

The chip stops at each multiple of a period of simulated time, and what has been asked by then is
answered there; so a request takes effect between two events, never within one. A client that holds
the chip (`hold`, `until`) has it to itself: what comes of what it asks from then on does not depend
on the host's time.
"""

from __future__ import annotations

import json
import os
import selectors
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rockcreek.chip import Chip
from rockcreek.errors import UsageError
from rockcreek.outside.requests import HANDLERS, Refused, answer, number

_LONGEST_LINE = 1 << 22
# How long a wait lasts before signals are looked at again.
_PATIENCE_S = 0.05


@dataclass
class _Client:
    connection: socket.socket
    heard: bytes = b""
    holds: bool = False
    # Asked to be told, and to have the chip, at this instant: the request's id, and when.
    due: tuple[Any, int] | None = None


@dataclass
class Outside:
    """The socket of one run."""

    path: Path
    chip: Chip
    every_ps: int
    # Nothing runs before a client has said so.
    wait: bool = False
    _clients: list[_Client] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._listener = socket.socket(socket.AF_UNIX)
        try:
            # Only this user: who can write memory owns the virtual chip.
            before = os.umask(0o177)
            try:
                self._listener.bind(str(self.path))
            finally:
                os.umask(before)
        except OSError as error:
            self._listener.close()
            hint = "name a file that does not exist, in a folder of yours"
            raise UsageError(
                f"--socket {self.path}: {error.strerror or error}", hint=hint
            ) from error
        self._listener.listen()
        self._listener.setblocking(False)
        self._selector.register(self._listener, selectors.EVENT_READ)

    def next_ps(self) -> int:
        """The instant at which the chip must stop next."""
        regular = (self.chip.time_ps // self.every_ps + 1) * self.every_ps
        return min([regular, *(client.due[1] for client in self._clients if client.due)])

    @property
    def has_clients(self) -> bool:
        return bool(self._clients)

    def let_in(self, must_go_on: Callable[[], bool]) -> None:
        """Answer what has been asked, until nobody holds the chip."""
        for client in list(self._clients):
            if client.due and client.due[1] <= self.chip.time_ps:
                asked, client.due, client.holds = client.due[0], None, True
                self._reply(client, {"id": asked, "time_ps": self.chip.time_ps})
        self._hear(0)
        while (self.wait or any(one.holds for one in self._clients)) and not must_go_on():
            self.pause()

    def say_goodbye(self, must_go_on: Callable[[], bool]) -> None:
        """Tell the clients that the run has ended; they may look at what is left, until they go."""
        for client in list(self._clients):
            client.due = None
            self._reply(client, {"event": "ended", "time_ps": self.chip.time_ps})
        while self._clients and not must_go_on():
            self.pause()

    def pause(self) -> None:
        """Let a moment of the host's time pass, or less if something is asked."""
        self._hear(_PATIENCE_S)

    def close(self) -> None:
        """The socket is gone, for everybody."""
        for client in list(self._clients):
            self._drop(client)
        self._selector.close()
        self._listener.close()
        with suppress(FileNotFoundError):
            self.path.unlink()

    def _hear(self, timeout_s: float) -> None:
        for key, _ in self._selector.select(timeout_s):
            if key.fileobj is self._listener:
                connection, _ = self._listener.accept()
                client = _Client(connection)
                self._clients.append(client)
                self._selector.register(connection, selectors.EVENT_READ, client)
                self._hear(0)
            else:
                self._receive(key.data)

    def _receive(self, client: _Client) -> None:
        try:
            data = client.connection.recv(1 << 16)
        except OSError:
            data = b""
        client.heard += data
        if not data or len(client.heard) > _LONGEST_LINE:
            self._drop(client)
            return
        *lines, client.heard = client.heard.split(b"\n")
        for line in lines:
            if line.strip():
                self._answer(client, line)

    def _answer(self, client: _Client, line: bytes) -> None:
        asked: Any = None
        try:
            request = json.loads(line)
            if not isinstance(request, dict):
                raise Refused("a request is a JSON object")
            asked = request.get("id")
            told = self._obey(client, request)
        except (Refused, ValueError) as error:
            told = {"error": str(error)}
        if told is not None:
            self._reply(client, {"id": asked, "time_ps": self.chip.time_ps, **told})

    def _obey(self, client: _Client, request: dict[str, Any]) -> dict[str, Any] | None:
        """What concerns the running itself; none: the answer comes later."""
        what = request.get("do")
        if what == "hold":
            client.holds = True
        elif what == "go":
            client.holds = self.wait = False
        elif what == "until":
            at = number(request, "at_ps")
            if at <= self.chip.time_ps:
                raise Refused(f"at_ps: {at} is not to come; it is {self.chip.time_ps} ps")
            client.holds, client.due, self.wait = False, (request.get("id"), at), False
            return None
        elif what not in HANDLERS:
            names = ", ".join([*HANDLERS, "hold", "go", "until"])
            raise Refused(f"there is no request {what!r}; there are {names}")
        else:
            return answer(self.chip, request)
        return {}

    def _reply(self, client: _Client, document: dict[str, Any]) -> None:
        try:
            client.connection.sendall(json.dumps(document).encode() + b"\n")
        except OSError:
            self._drop(client)

    def _drop(self, client: _Client) -> None:
        if client in self._clients:
            self._clients.remove(client)
            self._selector.unregister(client.connection)
            client.connection.close()
