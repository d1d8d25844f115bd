"""Listens at ports of this host, and passes on what comes while a chip runs.

Packets pass at instants at which the chip stands: as long as some are on their way a tenth of a
millisecond apart, then rarely. Simulated time passes no faster than the host's: whoever sits
outside would else be late for everything, and an idle chip would cost a processor.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rockcreek.chip.pace import EVERY_PS, Pace
from rockcreek.errors import UsageError
from rockcreek.forwarding.packet_file import INBOUND, OUTBOUND, Packet, Record
from rockcreek.forwarding.pipe import Pipe
from rockcreek.forwarding.ports import Port

if TYPE_CHECKING:
    from rockcreek import _native
    from rockcreek.chip import Chip

# Between two instants at which packets pass, while there are any.
SHORTEST_PS = 10**8
# How long a wait lasts before signals are looked at again.
_PATIENCE_S = 0.05
_MOST_PIPES = 64


def listen(ports: Sequence[Port]) -> list[socket.socket]:
    """A socket for each of the ports, which does not wait."""
    listeners: list[socket.socket] = []
    try:
        for port in ports:
            listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            listeners.append(listener)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((port.host, port.port))
            listener.listen()
            listener.setblocking(False)
    except OSError as error:
        for listener in listeners:
            listener.close()
        hint = "another program may listen there; ports below 1024 are root's"
        raise UsageError(f"--forward {port}: {error.strerror}", hint=hint) from error
    return listeners


class Forwarder:
    """The ports of one run, and the connections through them."""

    def __init__(self, chip: Chip, network: _native.Network, ports: Sequence[Port]) -> None:
        self._chip = chip
        self._network = network
        self._listeners = dict(zip(listen(ports), ports, strict=True))
        self._selector = selectors.DefaultSelector()
        self._pipes: list[Pipe] = []
        self._every_ps = EVERY_PS
        self._pace = Pace(chip.time_ps)
        self.record = Record()
        self.next_ps = chip.time_ps

    def turn(self, must_go_on: Callable[[], bool]) -> None:
        """The chip stands, perhaps at the instant for which this has asked."""
        now_ps = self._chip.time_ps
        if now_ps < self.next_ps:
            return
        busy = self._hear(self._pace.ahead_s(now_ps), must_go_on)
        self._pace.restart(now_ps)
        passed = self._network.exchange(self._chip._native)
        for _, data, inbound in passed:
            self.record.add(Packet(now_ps, data, INBOUND if inbound else OUTBOUND))
        # Whether it wrote or not, each one is asked.
        wrote = [pipe.write() for pipe in self._pipes]
        for pipe in [pipe for pipe in self._pipes if pipe.settle()]:
            # Before its descriptor is another connection's.
            self._want(pipe.outside, 0, pipe)
            self._pipes.remove(pipe)
            pipe.close()
        busy = busy or bool(passed) or any(wrote)
        self._every_ps = SHORTEST_PS if busy else min(2 * self._every_ps, EVERY_PS)
        self.next_ps = now_ps + self._every_ps

    def _hear(self, wait_s: float, must_go_on: Callable[[], bool]) -> bool:
        """Waits so long, or until somebody outside does something; whether that was so."""
        self._watch()
        end_s = time.monotonic() + wait_s
        while True:
            left_s = end_s - time.monotonic()
            heard = self._selector.select(max(0.0, min(left_s, _PATIENCE_S)))
            for key, events in heard:
                if isinstance(key.data, Port):
                    self._accept(key.fileobj, key.data)
                elif events & selectors.EVENT_READ:
                    key.data.read()
            if heard or left_s <= _PATIENCE_S or must_go_on():
                break
        return bool(heard)

    def _watch(self) -> None:
        """Only what can be served wakes anybody."""
        room = len(self._pipes) < _MOST_PIPES
        for listener, port in self._listeners.items():
            self._want(listener, selectors.EVENT_READ if room else 0, port)
        for pipe in self._pipes:
            self._want(pipe.outside, pipe.wants, pipe)

    def _want(self, of: socket.socket, events: int, data: Port | Pipe) -> None:
        known = self._selector.get_map().get(of)
        if known is None:
            if events:
                self._selector.register(of, events, data)
        elif not events:
            self._selector.unregister(of)
        elif known.events != events:
            self._selector.modify(of, events, data)

    def _accept(self, listener: object, port: Port) -> None:
        assert isinstance(listener, socket.socket)
        try:
            outside, _ = listener.accept()
        except OSError:
            # The client has gone again, or this host has no more descriptors: later, perhaps.
            return
        outside.setblocking(False)
        number = self._network.open(port.core, port.core_port)
        if number is None:
            outside.close()
            return
        self._pipes.append(Pipe(outside, self._network, number))

    def keep_last(self) -> None:
        """The run has ended: what cores have sent since the last turn belongs to the record."""
        for _, data, _ in self._network.take_from_cores():
            self.record.add(Packet(self._chip.time_ps, data, OUTBOUND))

    def dropped(self) -> list[str]:
        """What did not reach the other side, for the user."""
        refused, lost = self._network.dropped()
        told = []
        if refused:
            told.append(
                f"rck: {refused:,} packets of cores were refused: not theirs, or not to rck"
            )
        if lost:
            told.append(f"rck: {lost:,} packets for cores were lost: the cores took none")
        return told

    def close(self) -> None:
        """Nobody listens any more."""
        for pipe in self._pipes:
            with contextlib.suppress(OSError):
                pipe.outside.close()
        self._pipes.clear()
        for listener in self._listeners:
            listener.close()
        self._selector.close()
