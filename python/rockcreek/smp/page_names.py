"""What lives in a page of Linux's memory, as far as its System.map and its FS tell.

A page of the kernel's image has symbols. Linux copies the image's per-CPU section once for each
processor, to memory that it takes at its start, and finds the copy by FS: whose base is the
distance of the copy from the section. All other memory is given out while Linux runs, to itself and
to programs: of that no name is known.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

PAGE = 4096
# The table names at most this many symbols of a page, the largest.
NAMED = 5
_SPAN = 1 << 32
_BORDERS = (
    "phys_startup_32", "_text", "_end", "__init_begin", "__init_end",
    "__per_cpu_start", "__per_cpu_end",
)  # fmt: skip
OTHER = "memory that Linux gives out, to itself or to programs"
FREED = "memory that Linux gives out, once its start no longer needs it"


@dataclass(frozen=True)
class Map:
    """A System.map of a 32-bit kernel with several processors."""

    addresses: Sequence[int]  # of all symbols, ascending
    names: Sequence[str]
    borders: Mapping[str, int]

    @property
    def offset(self) -> int:
        """Distance of kernel addresses from physical ones."""
        return self.borders["_text"] - self.borders["phys_startup_32"]

    def within(self, begin: int, end: int, last: int) -> list[tuple[int, str]]:
        """Bytes between two addresses by symbol; the last one ends at `last`."""
        found = []
        for at in range(max(bisect_right(self.addresses, begin) - 1, 0), len(self.addresses)):
            start = self.addresses[at]
            if start >= end:
                break
            after = self.addresses[at + 1] if at + 1 < len(self.addresses) else last
            size = min(after, end, last) - max(start, begin)
            if size > 0:
                found.append((size, self.names[at]))
        return found


def read(text: str) -> Map | None:
    """The symbols of a System.map; none if it lacks what says where the kernel lies.

    >>> read("c0100000 T _text") is None
    True
    """
    rows = [line.split() for line in text.splitlines()]
    symbols = sorted((int(row[0], 16), row[2]) for row in rows if len(row) == 3)
    borders = {name: at for at, name in symbols if name in _BORDERS}
    if len(borders) < len(_BORDERS):
        return None
    named = [(at, name) for at, name in symbols if at >= borders["_text"]]
    return Map([at for at, _ in named], [name for _, name in named], borders)


@dataclass(frozen=True)
class Names:
    """Names for the pages of one run."""

    map: Map
    bases: Mapping[int, int]  # of FS, by processor

    def page(self, physical: int) -> str:
        """What begins at this address and is a page long."""
        at, borders = physical + self.map.offset, self.map.borders
        own = self._per_cpu(at)
        if own:
            return own
        if not borders["_text"] <= at < borders["_end"]:
            return OTHER
        if borders["__init_begin"] <= at < borders["__init_end"]:
            return FREED
        return _list(self.map.within(at, at + PAGE, borders["_end"]))

    def _per_cpu(self, at: int) -> str:
        """Symbols in the page, by each processor whose copy reaches into it."""
        begin, end = self.map.borders["__per_cpu_start"], self.map.borders["__per_cpu_end"]
        found = []
        for processor, base in sorted(self.bases.items()):
            first = (at - base) % _SPAN
            # A page that begins before the copy has a piece of it as well.
            first -= _SPAN if first > _SPAN - PAGE else 0
            inside = max(first, begin), min(first + PAGE, end)
            if inside[0] < inside[1]:
                what = _list(self.map.within(*inside, end))
                found.append(f"processor {processor}'s own: {what}")
            elif processor == self._behind(at):
                found.append(f"processor {processor}'s own, taken while Linux runs")
        return "; ".join(found)

    def _behind(self, at: int) -> int | None:
        """The processor behind whose copy the page lies; all have equal room, in one row."""
        bases = sorted((base, processor) for processor, base in self.bases.items())
        steps = [after[0] - before[0] for before, after in pairwise(bases)]
        if not steps:
            return None
        place = (at - self.map.borders["__per_cpu_start"]) % _SPAN
        for base, processor in bases:
            if base <= place and place + PAGE <= base + min(steps):
                return processor
        return None


def _list(found: Sequence[tuple[int, str]]) -> str:
    most = sorted(found, key=lambda one: -one[0])[:NAMED]
    words = ", ".join(name for _, name in most)
    left = len(found) - len(most)
    return f"{words} and {left} more" if left else words
