"""Totals of a run, from the engine's counters and from probes on ELF symbols.

A probe counts how often a core enters a function, at no cost in simulated time; the chip knows
nothing of what the function means.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rockcreek.chip import Chip
from rockcreek.software.image import Image

if TYPE_CHECKING:
    from rockcreek.formats.statistics import Counters, RegionCounters, Statistics

# Entering one of these functions begins one point-to-point message. In the original RCCE all send
# functions call the first; ours has one for basic and one for gory programs, and iRCCE three.
_ORIGINAL_SEND = ("RCCE_send_general",)
_OUR_SENDS = ("RCCE_send", "RCCE_send_gory", "iRCCE_isend", "iRCCE_issend", "iRCCE_msend")


class Probes:
    """Counts messages on some cores of a chip."""

    def __init__(self, chip: Chip, cores: Sequence[int], program: Image) -> None:
        self._chip = chip
        symbols = program.symbols
        names = _ORIGINAL_SEND if _ORIGINAL_SEND[0] in symbols else _OUR_SENDS
        self._addresses = [symbols[name] for name in names if name in symbols]
        if self._addresses:
            for core in cores:
                chip.set_probes(core, self._addresses)

    def messages(self) -> int:
        """Messages that were begun so far, on all cores."""
        counts = self._chip.probe_counts()
        return sum(core.get(address, 0) for core in counts.values() for address in self._addresses)


# What the summary adds up, from the cache counters of every core. A store that misses goes around
# the caches and is no miss here.
_MISSES = {
    "l1i_misses": ("l1i_fills_from_l2", "l1i_fills_from_memory"),
    "l1d_misses": ("l1d_fills_from_l2", "l1d_fills_from_memory", "l1d_fills_mpbt"),
    "l2_misses": ("l2_fills",),
}


def totals(statistics: Statistics) -> dict[str, int]:
    """The few sums that the summary shows."""
    return {**misses(statistics["cores"]), "mesh_packets": statistics["mesh"]["packets"]}


def misses(cores: Sequence[Counters] | Sequence[RegionCounters]) -> dict[str, int]:
    """The misses of these cores, from their cache counters."""
    return {
        name: sum(core["cache"][counter] for core in cores for counter in counters)
        for name, counters in _MISSES.items()
    }
