"""`rck smp --pages`: the pages that moved most between cores, and what lives there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rockcreek.smp import kernel_file, page_names
from rockcreek.smp.page_names import Names
from rockcreek.smp.sensitive import Symbols

MOST = 20
_HEX = "([0-9a-fA-F]{8})"
_PAGE = re.compile(
    rf"rockyvisor: page {_HEX}: (\d+) reads, (\d+) writes, (\d+) K cycles, last at {_HEX}"
)
_BASE = re.compile(rf"rockyvisor: processor (\d+) has FS at {_HEX}")
_HEAD = ("page", "cores", "reads", "writes", "K cycles", "last at", "what")
_NUMBERS = range(1, 5)  # columns


@dataclass
class _Moved:
    """One page, over all cores that waited for it."""

    cores: int = 0
    reads: int = 0
    writes: int = 0
    waited: int = 0
    longest: int = -1
    last: int = 0  # where the core was that waited for longest

    def add(self, reads: int, writes: int, waited: int, last: int) -> None:
        self.cores += 1
        self.reads += reads
        self.writes += writes
        self.waited += waited
        if waited > self.longest:
            self.longest, self.last = waited, last


def text(lines: Iterable[str], map_text: str | None) -> str:
    """A table of what the hypervisors wrote; without a map it has addresses alone."""
    moved: dict[int, _Moved] = {}
    bases: dict[int, int] = {}
    for line in lines:
        if match := _PAGE.fullmatch(line):
            reads, writes, waited = (int(match[n]) for n in (2, 3, 4))
            one = moved.setdefault(int(match[1], 16), _Moved())
            one.add(reads, writes, waited, int(match[5], 16))
        elif match := _BASE.fullmatch(line):
            bases[int(match[1])] = int(match[2], 16)
    if not moved:
        return "pages: no core waited for one that another had, or the system did not end by itself"
    known = None if map_text is None else page_names.read(map_text)
    symbols = kernel_file.system_map(map_text or "")
    names = None if known is None else Names(known, bases)
    first = sorted(moved.items(), key=lambda one: (-one[1].waited, one[0]))[:MOST]
    rows = [_row(page, one, names, symbols) for page, one in first]
    return _table([_HEAD, *rows])


def _row(page: int, one: _Moved, names: Names | None, symbols: Symbols) -> tuple[str, ...]:
    numbers = (one.cores, one.reads, one.writes, one.waited)
    what, where = "", f"{one.last:08x}"
    if names is not None:
        what = names.page(page)
        is_kernel = one.last >= names.map.offset
        where = symbols.name(one.last) if is_kernel else f"{where} of a program"
    return (f"{page:08x}", *map(str, numbers), where, what)


def _table(rows: list[tuple[str, ...]]) -> str:
    """Numbers to the right."""
    widths = [max(len(row[n]) for row in rows) for n in range(len(_HEAD))]
    lines = []
    for row in rows:
        cells = [
            word.rjust(width) if n in _NUMBERS else word.ljust(width)
            for n, (word, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
