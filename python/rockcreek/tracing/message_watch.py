"""Counts the messages of a run, and those of its region of interest apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rockcreek.chip import Chip
from rockcreek.results.messages import (
    COLLECTIVE,
    GET,
    MESSAGE,
    PUT,
    Call,
    CallCount,
    CallReader,
    Entry,
    Messages,
)
from rockcreek.results.region import Borders, is_meant
from rockcreek.software.image import Image


class Watcher:
    """Notes the calls on some cores of a chip, those of the region of interest also apart."""

    def __init__(
        self, chip: Chip, cores: Sequence[int], program: Image, where: Borders | None = None
    ) -> None:
        self._reader = CallReader(cores, program)
        self._program = program
        self._cores = cores
        entries = self._reader.entries
        self._where = where if entries else None
        self.seen = self._none()
        self._regions = {core: _OnCore(self._none(), self._none()) for core in cores}
        for core in cores if entries else ():
            chip.set_probes(core, [*entries, *self._borders], calls=True)

    def _none(self) -> Messages:
        none = Messages(ues=len(self._cores))
        for entry in self._reader.entries.values():
            none.calls.setdefault(entry.name, CallCount(entry.label, entry.kind))
        return none

    @property
    def _borders(self) -> set[int]:
        return set() if self._where is None else {*self._where.begins, *self._where.ends}

    @property
    def sees(self) -> bool:
        """Whether the program has an entry point that can be watched."""
        return bool(self._reader.entries)

    def take(self, calls: Iterable[Call]) -> None:
        """Counts what the chip has noted."""
        borders = self._borders
        for call in calls:
            if call[1] in borders:
                self._meet(call)
            if call[1] in self._reader.entries:
                self._take(call)

    def report(self) -> Messages:
        """What was seen, with the part of the region if that has not all messages. RCCE_finalize
        makes calls of its own, which alone are no reason."""
        if self._where is None or not any(one.is_begun for one in self._regions.values()):
            return self.seen
        region = self._none()
        for one in self._regions.values():
            region.add(one.closed)
            if not one.has_end:
                region.add(one.open)
        if region.traffic != self.seen.traffic:
            self.seen.region = self._where.name, region
        return self.seen

    def _meet(self, call: Call) -> None:
        """A border of the region, on one core."""
        core, address, _, words = call
        where, one = self._where, self._regions[core]
        if where is None or not is_meant(self._program, where, words[1]):
            return
        if not one.is_begun:
            one.is_begun = address in where.begins
        elif address in where.ends and (where.until_last or not one.has_end):
            one.has_end = True
            one.closed.add(one.open)
            one.open = self._none()

    def _take(self, noted: Call) -> None:
        entry, part_of, size, peers = self._reader.read(noted)
        if part_of is not None and (entry.kind != MESSAGE or part_of != COLLECTIVE):
            return
        rank, one = self._reader.rank(noted[0]), self._regions[noted[0]]
        for seen in (self.seen, one.open) if one.is_begun else (self.seen,):
            _count(seen, entry, rank, part_of, size, peers)


@dataclass
class _OnCore:
    """What one core has done in the region: up to the last border that may end it, and behind."""

    closed: Messages
    open: Messages
    is_begun: bool = False
    has_end: bool = False


def _count(
    seen: Messages,
    entry: Entry,
    rank: int,
    part_of: str | None,
    size: int | None,
    peers: Sequence[int],
) -> None:
    call = seen.calls[entry.name]
    if part_of is None:
        call.calls += 1
    if size is None:
        call.refused += 1
    elif entry.kind == COLLECTIVE:
        call.bytes += size
    else:
        _add(seen, entry, rank, peers, size, part_of)
        call.bytes += size * len(peers) if part_of is None else 0


def _add(
    seen: Messages, entry: Entry, own: int, peers: Sequence[int], size: int, part_of: str | None
) -> None:
    for peer in peers:
        if entry.kind == PUT:
            seen.puts.add(own, peer, size)
        elif entry.kind == GET:
            seen.gets.add(peer, own, size)
        else:
            seen.messages.add(own, peer, size)
            seen.in_collectives += part_of is not None
            to = 1 << (size - 1).bit_length() if size else 0
            seen.sizes[to] = seen.sizes.get(to, 0) + 1
