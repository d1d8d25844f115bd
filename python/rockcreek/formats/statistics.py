"""The counters of a chip, as the engine returns them and as `statistics` of a result holds them."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from rockcreek.formats.common import Count


class Stalls(TypedDict):
    """How long a core waited for answers of each kind of unit."""

    memory_ps: Count
    mpb_ps: Count
    crb_ps: Count
    system_ps: Count
    other_ps: NotRequired[int]


class InCore(TypedDict):
    """Counters of a core's instructions; `..._cycles` and `..._stalls` are core cycles."""

    instructions: Count
    waiting_cycles: Count
    halted_cycles: Count
    dtlb_misses: Count
    x87_instructions: Count
    floating_point_operations: NotRequired[Count]
    exceptions: NotRequired[Count]
    interrupts: NotRequired[Count]
    message_buffer_invalidations: NotRequired[Count]
    itlb_misses: NotRequired[int]
    pipeline_flushes: NotRequired[int]


Cache = dict[str, Count]  # of L1 and L2 together, by name: lines, accesses; `..._cycles`


class Counters(TypedDict):
    """The counters of a core."""

    cycles: Count
    core: InCore
    cache: Cache
    stalls: Stalls


class RegionCounters(TypedDict):
    """What a core counted in the region of interest."""

    core: InCore
    cache: Cache


class Controller(TypedDict):
    """A memory controller: requests, and the time that it and its queue took."""

    reads: Count
    writes: Count
    busy_ps: NotRequired[Count]
    waited_ps: NotRequired[Count]


class Link(TypedDict):
    """Flits over the outputs of one router, and into it from its tile."""

    east: Count
    west: Count
    north: Count
    south: Count
    local: NotRequired[Count]


class Mesh(TypedDict):
    """The mesh; `link_flits` has an entry for each tile, row by row."""

    flits: Count
    waited_ps: Count
    link_flits: list[Link]
    packets: NotRequired[int]


class Tile(TypedDict):
    """Requests that a tile's own units served."""

    reads: int
    writes: int


class Traffic(TypedDict):
    """What one core exchanged with one unit."""

    bytes: Count
    packets: Count
    waited_ps: Count


class Statistics(TypedDict):
    """All counters of the chip."""

    cores: list[Counters]
    memory: list[Controller]
    mesh: Mesh
    traffic: NotRequired[list[dict[str, Traffic]]]  # of each core, by the unit's name
    tiles: NotRequired[list[Tile]]


class Totals(TypedDict):
    """Misses of all caches: lines."""

    l1i_misses: Count
    l1d_misses: Count
    l2_misses: Count
