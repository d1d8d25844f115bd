"""Blocks of shared memory and message buffers: where each was allocated.

The calls of the allocators are watched by the program's symbols: the instructions behind the calls
are known from its code, and the engine notes what comes back there. The chip knows none of this.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rockcreek.checking.kinds.memory import of_block
from rockcreek.checking.kinds.sites import name, own_frame
from rockcreek.checking.places import MPB_BYTES, SHARED, Places
from rockcreek.chip import Chip
from rockcreek.formats.engine import RawSite
from rockcreek.formats.findings import Block

BLOCK = "block"
# Each returns the block; the first argument is its size.
ALLOCATORS = ("RCCE_malloc", "RCCE_shmalloc", "iRCCE_malloc", "svm_alloc")
_SHARED_END = 0xC0000000  # there the message buffers begin


@dataclass(frozen=True)
class _Block:
    start: int
    size: int  # 0: not known
    site: RawSite


class Blocks:
    """The blocks of one run, by the place where they begin."""

    def __init__(self, chip: Chip, places: Places, noted: Iterable[RawSite]) -> None:
        self._places = places
        # Of each core's message buffer, and of shared memory (None).
        self._blocks: dict[int | None, list[_Block]] = {}
        for core, block in _placed(chip, noted):
            self._blocks.setdefault(core, []).append(block)
        for blocks in self._blocks.values():
            blocks.sort(key=lambda block: (block.start, block.site["time_ps"]))

    def of(self, core: int | None, offset: int, time_ps: int) -> Block | None:
        """The block with this byte: its size, the offset in it, and the call that allocated it."""
        blocks = self._blocks.get(core, [])
        end = bisect_right(blocks, offset, key=lambda block: block.start)
        for block in reversed(blocks[:end]):
            if block.site["time_ps"] > time_ps:
                continue
            within = offset - block.start
            if block.size and within >= block.size:
                return None
            site = self._places.site({**block.site, "eip": block.site["eip"] - 1})
            return {"size": block.size or None, "offset": within, "allocated": site}
        return None


def tell(block: Block) -> str:
    """Which byte of which block, and where that was allocated."""
    site = block["allocated"]
    where = name(own_frame(site))
    return f"{of_block(block)}, allocated by core {site['core']:02} in {where}"


def _placed(chip: Chip, noted: Iterable[RawSite]) -> Iterator[tuple[int | None, _Block]]:
    """Blocks with the message buffer that they lie in, those that are mapped."""
    for site in noted:
        address = chip.translate(site["core"], site["value"]) if site["value"] else None
        if address is None:
            continue
        shared = SHARED <= address < _SHARED_END
        start = address - SHARED if shared else address % MPB_BYTES
        yield None if shared else site["core"], _Block(start, site["stack"][0], site)
