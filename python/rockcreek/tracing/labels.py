"""How the tracks of a chip are called."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypedDict

from rockcreek.description import Description
from rockcreek.tracing.selection import CLOCKS, LINKS, MEMORY, POWER

_DIRECTIONS = ((1, 0), (0, 1), (-1, 0), (0, -1))
_OTHER_RAILS = 8
_DOMAINS = {2: "routers", 6: "system interface", _OTHER_RAILS: "memory and clock generation"}
_DOMAIN_COUNT = 9
# Exceptions of the processor, and the vector that kernels of this processor use for system calls.
VECTORS = {
    0: "divide error", 1: "debug", 2: "NMI", 3: "breakpoint", 4: "overflow", 5: "bound",
    6: "invalid opcode", 7: "no x87", 8: "double fault", 10: "invalid TSS",
    11: "segment not present", 12: "stack fault", 13: "general protection", 14: "page fault",
    16: "x87 error", 17: "alignment", 0x80: "int 0x80",
}  # fmt: skip


def tile(description: Description, number: int) -> str:
    x, y = number % description.columns, number // description.columns
    return f"tile {x},{y}"


class CounterLabels(TypedDict):
    """Names of the counter tracks; empty where there is to be none."""

    links: list[str]
    flit_ps: int  # a flit's time on a link
    controllers: list[str]
    domains: list[str]
    voltages: list[str]
    tiles: list[str]


def counters(description: Description, kinds: Collection[str]) -> CounterLabels:
    """The names of these kinds of tracks."""
    tiles = range(description.columns * description.rows)
    units = [unit for unit in description.edge if unit.name.startswith("MC")]
    domains = [_DOMAINS.get(domain, f"cores {domain}") for domain in range(_DOMAIN_COUNT)]
    regulated = ["" if n == _OTHER_RAILS else name for n, name in enumerate(domains)]
    return {
        "links": _links(description) if LINKS in kinds else [],
        "flit_ps": 10**6 // int(description.clocks.split("/")[1]),
        "controllers": (
            [f"at {unit.x},{unit.y} {unit.port}" for unit in units] if MEMORY in kinds else []
        ),
        "domains": domains if POWER in kinds else [],
        "voltages": regulated if POWER in kinds else [],
        "tiles": [tile(description, n) for n in tiles] if CLOCKS in kinds else [],
    }


def _links(description: Description) -> list[str]:
    names = []
    for number in range(description.columns * description.rows):
        x, y = number % description.columns, number // description.columns
        for dx, dy in _DIRECTIONS:
            names.append(f"{x},{y} to {x + dx},{y + dy}")
        names.append(f"{x},{y} from tile or edge")
    return names
