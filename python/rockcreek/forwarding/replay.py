"""Packets of a record enter the chip again, at their instants; nobody listens."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from rockcreek.errors import InputError, RockcreekError
from rockcreek.forwarding import packet_file
from rockcreek.forwarding.packet_file import INBOUND, Packet
from rockcreek.units import format_ps

if TYPE_CHECKING:
    from rockcreek import _native
    from rockcreek.chip import Chip

_HINT = "a record replays with the command, the files and the version of rck that made it"


class Replay:
    """What is yet to come, and what the cores are to answer."""

    def __init__(self, chip: Chip, network: _native.Network, path: str | Path) -> None:
        self._chip = chip
        self._network = network
        self._path = str(path)
        self._errors: list[RockcreekError] = []
        self._given: deque[Packet] = deque()
        self._answers: deque[Packet] = deque()
        for packet in packet_file.read(path):
            (self._given if packet.direction == INBOUND else self._answers).append(packet)
        if self._given and self._given[0].time_ps < chip.time_ps:
            text = f"{path}: begins before this chip, at {format_ps(self._given[0].time_ps)}"
            raise InputError(text, path=self._path, hint=_HINT)

    @property
    def next_ps(self) -> int | None:
        """The instant of the next packet."""
        return self._given[0].time_ps if self._given else None

    def turn(self) -> None:
        """The chip stands, perhaps at that instant."""
        self._compare_answers()
        while self._given and self._given[0].time_ps <= self._chip.time_ps:
            self._network.give(self._chip._native, self._given.popleft().data)

    def _compare_answers(self) -> None:
        """What comes after the record's end, which somebody may have interrupted, is free."""
        for _, data, _ in self._network.take_from_cores():
            if self._answers and not self._errors and self._answers.popleft().data != data:
                when = format_ps(self._chip.time_ps)
                self._fail(f"the cores sent another packet than the recorded one by {when}")

    def _fail(self, what: str) -> None:
        text = f"{self._path}: {what}: this is not the recorded run"
        self._errors.append(InputError(text, path=self._path, hint=_HINT))

    def errors(self) -> list[RockcreekError]:
        """Whether this was the recorded run, at its end."""
        self._compare_answers()
        if not self._errors and (self._given or self._answers):
            left = len(self._given) + len(self._answers)
            self._fail(f"the run ended before {left} of the recorded packets")
        return self._errors
