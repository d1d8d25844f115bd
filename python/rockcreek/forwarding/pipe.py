"""One connection: a socket of the host, and TCP of crates/forward to the core behind it.

Bytes are taken from either side only as far as the other one has room, so nothing grows. An end
that one side closes is closed on the other one, once all bytes are over.
"""

from __future__ import annotations

import selectors
import socket
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rockcreek import _native

_AT_ONCE = 1 << 16
# Closes with a reset.
_LINGER = struct.pack("ii", 1, 0)


class Pipe:
    """Both ends."""

    def __init__(self, outside: socket.socket, network: _native.Network, number: int) -> None:
        self.outside = outside
        self._network = network
        self._number = number
        self._for_outside = b""
        self._outside_ended = self._core_ended = self._failed = self._has_told = False

    @property
    def wants(self) -> int:
        """The events of the host's socket that matter now."""
        reads = not self._outside_ended and self._network.room(self._number) > 0
        events = selectors.EVENT_READ if reads else 0
        return events | (selectors.EVENT_WRITE if self._for_outside else 0)

    def read(self) -> None:
        """Takes what the host's client has sent, as much as there is room for."""
        room = min(_AT_ONCE, self._network.room(self._number))
        if self._outside_ended or not room:
            return
        try:
            data = self.outside.recv(room)
        except BlockingIOError:
            return
        except OSError:
            self.fail()
            return
        if data:
            self._network.send(self._number, data)
        else:
            self._outside_ended = True
            self._network.close(self._number)

    def write(self) -> bool:
        """Passes on what the core has sent; whether anything was there."""
        moved = False
        while not self._failed:
            if not self._for_outside:
                self._for_outside = self._network.receive(self._number, _AT_ONCE)
            if not self._for_outside:
                break
            try:
                sent = self.outside.send(self._for_outside)
            except BlockingIOError:
                break
            except OSError:
                self.fail()
                break
            self._for_outside = self._for_outside[sent:]
            moved = True
        return moved

    def fail(self) -> None:
        """The host's client is gone, or has to go: the core hears of it."""
        if not self._failed:
            self._failed = True
            self._for_outside = b""
            self._network.abort(self._number)

    def settle(self) -> bool:
        """Passes ends on; whether the connection is over."""
        if self._failed and not self._has_told:
            # The reset goes out at the next exchange.
            self._has_told = True
            return False
        state = self._network.state(self._number)
        if self._for_outside or state.begins or (state.receives and not self._failed):
            return False
        if not state.over and not self._core_ended:
            self._core_ended = True
            try:
                self.outside.shutdown(socket.SHUT_WR)
            except OSError:
                self.fail()
        if state.over and not self._outside_ended and not self._core_ended:
            # The core has refused it, or broken off.
            self.outside.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER)
        return state.over

    def close(self) -> None:
        """Nobody looks at it any more."""
        self.outside.close()
        self._network.forget(self._number)
