"""Totals of a run, from the engine's counters and from probes on ELF symbols.

A probe counts how often a core enters a function, at no cost in simulated time; the chip knows
nothing of what the function means.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rockcreek.chip import Chip
from rockcreek.image import Image

# Entering one of these functions begins one point-to-point message. In the original RCCE all send
# functions call the first; ours has one for basic and one for gory programs.
_ORIGINAL_SEND = ("RCCE_send_general",)
_OUR_SENDS = ("RCCE_send", "RCCE_send_gory")


class Probes:
    """Counts messages on some cores of a chip."""

    def __init__(self, chip: Chip, cores: Sequence[int], program: Image) -> None:
        self._chip = chip
        symbols = program.symbols
        names = _ORIGINAL_SEND if _ORIGINAL_SEND[0] in symbols else _OUR_SENDS
        addresses = [symbols[name] for name in names if name in symbols]
        if addresses:
            for core in cores:
                chip.set_probes(core, addresses)

    def messages(self) -> int:
        """Messages that were begun so far, on all cores."""
        counts = self._chip.probe_counts()
        return sum(count for core in counts.values() for count in core.values())


def totals(statistics: dict[str, Any]) -> dict[str, int]:
    """The few sums that the summary shows."""
    return {
        "l1i_misses": _sum(statistics, "cores", "l1i_misses"),
        "l1d_misses": _sum(statistics, "cores", "l1d_misses"),
        "l2_misses": _sum(statistics, "cores", "l2_misses"),
        "mesh_packets": int(statistics.get("mesh", {}).get("packets", 0)),
    }


def _sum(statistics: dict[str, Any], group: str, name: str) -> int:
    return sum(int(unit.get(name, 0)) for unit in statistics.get(group, {}).values())
