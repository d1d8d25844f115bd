"""Worst-case times of messages, from the chip description.

A message is a line that the sender writes into the receiver's MPB and then reads back, so that it
knows that it is there. Each of the two is one transaction: core and mesh interface, the routers of
the way there and back, the MPB's port. Only the set's own messages are on the mesh, and a core has
at most two requests under way (a store that goes on its way and a read): each other message can
stand before this one twice at each link that both use, and twice at the MPB's port.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rockcreek.description import Description

# Core cycles of the instructions of put_line and get_line with their lines in L1: eight stores,
# eight loads, two calls, two readings of the time stamp.
CODE = 96
UNDER_WAY = 2

Link = tuple[int, int, int, int]  # a router, the next one


@dataclass(frozen=True)
class Bound:
    """Core cycles until a line has been read back (least, most), and until it lies there."""

    hops: int
    least: int
    most: int
    arrival: int


class Bounds:
    """What the mesh of a chip costs a set of messages; `flows`: sending and receiving cores."""

    def __init__(self, chip: Description, flows: Sequence[tuple[int, int]]) -> None:
        self._chip = chip
        self._flows = flows
        clocks = chip.values["clocks"]
        self._mesh_cycle = chip.core_mhz / clocks["mesh"]["value"]

    def _time(self, unit: str, name: str) -> int:
        return int(self._chip.values["timing"][unit][name]["value"])

    def _router(self, core: int) -> tuple[int, int]:
        tile = core // self._chip.cores_per_tile
        return tile % self._chip.columns, tile // self._chip.columns

    def _way(self, source: int, target: int) -> list[Link]:
        """The links between two cores' routers: along the row first, as the routers do."""
        (x, y), (to_x, to_y) = self._router(source), self._router(target)
        links = []
        while (x, y) != (to_x, to_y):
            step_x = (to_x > x) - (to_x < x)
            step_y = 0 if step_x else (to_y > y) - (to_y < y)
            links.append((x, y, x + step_x, y + step_y))
            x, y = x + step_x, y + step_y
        return links

    def _blocked(self, flow: tuple[int, int]) -> int:
        """Mesh cycles that others can stand before a request and its answer."""
        source, target = flow
        cycles = 0
        for other in self._flows:
            if other == flow:
                continue
            shared = len(set(self._way(source, target)) & set(self._way(*other)))
            shared += len(set(self._way(target, source)) & set(self._way(*reversed(other))))
            cycles += shared * self._time("mesh", "line_flits")
            if self._router(other[1]) == self._router(target):
                cycles += self._time("mpb", "service")
        # The receiver reads its own MPB meanwhile.
        return UNDER_WAY * (cycles + self._time("mpb", "service"))

    def bound(self, source: int, target: int) -> Bound:
        """Of a message between two cores of the set."""
        hops = len(self._way(source, target))
        way = hops * self._time("mesh", "hop") if hops else self._time("mesh", "own_tile")
        request, response = self._time("core", "request"), self._time("core", "response")
        extra = self._time("core", "write_line_extra")
        blocked = self._blocked((source, target))
        cores = 2 * (request + response) + extra
        least = cores + int(4 * way * self._mesh_cycle)
        most = cores + CODE + self._up(4 * way + 2 * blocked)
        arrival = request + extra + CODE + self._up(way + blocked)
        return Bound(hops, least, most, arrival)

    def _up(self, mesh_cycles: int) -> int:
        return -int(-mesh_cycles * self._mesh_cycle // 1)
