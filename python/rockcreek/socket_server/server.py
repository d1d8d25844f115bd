"""Hears requests on a Unix socket while a chip runs, and answers them at instants of its time.

The chip stops at each multiple of a period of simulated time, and what has been asked by then is
answered there; so a request takes effect between two events, never within one. A client that holds
the chip (`hold`, `until`) has it to itself: what comes of what it asks from then on does not depend
on the host's time. No client can do more than hold it: nothing waits for one that does not read or
does not end what it began, and each has its turn for a moment only.
"""

from __future__ import annotations

import json
import reprlib
import selectors
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rockcreek.chip import Chip
from rockcreek.socket_server import place
from rockcreek.socket_server.peer import OVERDUE_S, Peer
from rockcreek.socket_server.requests import HANDLERS, Answer, Refused, Request, answer, number

# How long a wait lasts before signals are looked at again.
_PATIENCE_S = 0.05
# How long requests are answered at one instant before the chip goes on.
_TURN_S = 0.05
_MOST_CLIENTS = 16
_LONGEST_ID = 256
# After the run: how long a client may go on to ask.
_GOODBYE_S = 60.0


@dataclass
class SocketServer:
    """The socket of one run."""

    path: Path
    chip: Chip
    every_ps: int
    # Nothing runs before a client has said so.
    wait: bool = False
    _peers: list[Peer] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._listener, told = place.listen(self.path)
        self._made = self.path.lstat()
        self._notices = [] if told is None else [told]
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)

    def next_ps(self) -> int:
        """The instant at which the chip must stop next."""
        regular = (self.chip.time_ps // self.every_ps + 1) * self.every_ps
        return min([regular, *(peer.due[1] for peer in self._peers if peer.due)])

    @property
    def has_clients(self) -> bool:
        """Whether somebody has asked something and is still there."""
        return any(peer.has_asked for peer in self._peers)

    def notices(self) -> list[str]:
        """What the user is to hear of clients, since the last call."""
        told, self._notices = self._notices, []
        return told

    def let_in(self, must_go_on: Callable[[], bool]) -> None:
        """Answer what has been asked, until nobody holds the chip."""
        for peer in list(self._peers):
            if peer.due and peer.due[1] <= self.chip.time_ps:
                asked, peer.due, peer.holds = peer.due[0], None, True
                peer.reply({"id": asked, "time_ps": self.chip.time_ps})
        self._hear(0)
        while (self.wait or any(one.holds for one in self._peers)) and not must_go_on():
            self.pause()

    def say_goodbye(self, must_go_on: Callable[[], bool]) -> None:
        """Notify the clients that the run has ended; they may look at what is left, as long as they
        ask on."""
        until_s = time.monotonic() + _GOODBYE_S
        for peer in list(self._peers):
            peer.due, peer.heard_s = None, time.monotonic()
            peer.reply({"event": "ended", "time_ps": self.chip.time_ps})
            if not peer.has_asked:
                self._drop(peer)
        while self._peers and not must_go_on() and time.monotonic() < until_s:
            self.pause()
            for peer in list(self._peers):
                if time.monotonic() - peer.heard_s >= OVERDUE_S:
                    self._drop(peer)

    def pause(self) -> None:
        """Let a moment of the host's time pass, or less if something is asked."""
        self._hear(_PATIENCE_S)

    def close(self) -> None:
        """The socket is gone, for everybody."""
        for peer in list(self._peers):
            self._drop(peer)
        self._selector.close()
        place.remove(self._listener, self.path, self._made)

    def _hear(self, timeout_s: float) -> None:
        """One turn: who is ready is heard, who has asked is answered, who is overdue goes."""
        end_s = time.monotonic() + _TURN_S
        if any(peer.has_request for peer in self._peers):
            timeout_s = 0
        for key, events in self._selector.select(timeout_s):
            if key.fileobj is self._listener:
                self._accept()
            else:
                self._attend(key.data, events)
        # One request of each in turn, so that none waits for another one's thousand.
        asked = True
        while asked and time.monotonic() < end_s:
            asked = False
            for peer in list(self._peers):
                line = peer.next_line()
                if line is not None:
                    asked = True
                    self._answer(peer, line)
        for peer in list(self._peers):
            why = peer.overdue()
            if why is not None or peer.is_done:
                self._drop(peer, why)
            else:
                self._watch(peer)

    def _accept(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except OSError:
            # The client has gone again, or this host has no more descriptors: later, perhaps.
            time.sleep(_PATIENCE_S / 10)
            return
        peer = Peer(connection)
        if len(self._peers) >= _MOST_CLIENTS:
            peer.reply({"error": f"there are {_MOST_CLIENTS} clients already", "time_ps": 0})
            connection.close()
            return
        self._peers.append(peer)
        self._selector.register(connection, selectors.EVENT_READ, peer)

    def _attend(self, peer: Peer, events: int) -> None:
        if events & selectors.EVENT_WRITE:
            peer.send()
        if events & selectors.EVENT_READ:
            why = peer.receive()
            if why is not None:
                self._drop(peer, why)

    def _watch(self, peer: Peer) -> None:
        """A client that does not read is not heard."""
        events = selectors.EVENT_WRITE if peer.wants_to_write else selectors.EVENT_READ
        if self._selector.get_key(peer.connection).events != events:
            self._selector.modify(peer.connection, events, peer)

    def _answer(self, peer: Peer, line: bytes) -> None:
        if not line.strip():
            return
        asked: Any = None
        try:
            request = _read(line)
            asked = _id(request)
            told = self._obey(peer, request)
        except (Refused, ValueError) as error:
            told = Answer(error=str(error))
        peer.has_asked = True
        if told is not None:
            peer.reply({"id": asked, "time_ps": self.chip.time_ps, **told})

    def _obey(self, peer: Peer, request: Request) -> Answer | None:
        """What concerns the running itself; none: the answer comes later."""
        what = request.get("do")
        if what == "hold":
            peer.holds = True
        elif what == "go":
            peer.holds = self.wait = False
        elif what == "until":
            at = number(request, "at_ps")
            if at <= self.chip.time_ps:
                raise Refused(f"at_ps: {at} is not to come; it is {self.chip.time_ps} ps")
            peer.holds, peer.due, self.wait = False, (request.get("id"), at), False
            return None
        elif what not in HANDLERS:
            names = ", ".join([*HANDLERS, "hold", "go", "until"])
            raise Refused(f"there is no request {reprlib.repr(what)}; there are {names}")
        else:
            return answer(self.chip, request)
        return {}

    def _drop(self, peer: Peer, why: str | None = None) -> None:
        if peer not in self._peers:
            return
        self._peers.remove(peer)
        self._selector.unregister(peer.connection)
        with suppress(OSError):
            peer.connection.close()
        if why is not None:
            self._notices.append(f"a client of --socket was dropped: {why}; the run goes on")


def _read(line: bytes) -> Request:
    """A request: an object of texts and numbers."""
    try:
        request = json.loads(line)
    except RecursionError as error:
        raise Refused("a request holds texts and numbers only") from error
    if not isinstance(request, dict):
        raise Refused("a request is a JSON object")
    if any(isinstance(value, list | dict) for value in request.values()):
        raise Refused("a request holds texts and numbers only")
    return request


def _id(request: Request) -> object:
    asked = request.get("id")
    if len(str(asked)) > _LONGEST_ID:
        raise Refused(f"id: longer than {_LONGEST_ID} characters")
    return asked
