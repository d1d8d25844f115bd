"""A cycle profile (docs/guide/profile.md)."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from rockcreek.formats.common import Core, Count, Headed, Program, Word

Cause = Literal[
    "compute", "l2", "dram", "mpb", "lock", "registers", "board", "stores", "nowhere", "halted"
]
Causes = dict[Cause, Count]  # core cycles


class CoreCycles(TypedDict):
    """The cycles of a core over the whole run."""

    core: Core
    cycles: Count
    causes: Causes


class Place(TypedDict):
    """A source line, as far as it is known."""

    image: str
    function: str | None
    file: str | None
    line: Word | None


class Row(TypedDict):
    """Cycles of one core at one place."""

    core: Core
    place: Count  # the number of the place
    user: bool
    causes: Causes


class Region(TypedDict):
    """The cycles of the region of interest."""

    name: str
    cores: list[CoreCycles]
    rows: list[Row]


class Profile(Headed):
    """The document."""

    program: Program
    clocks: str  # MHz of tiles, mesh and memory data
    time_ps: Count
    state_hash: str
    cores: list[CoreCycles]
    places: list[Place]
    rows: list[Row]
    roi: NotRequired[Region | None]
    region: NotRequired[str]  # never in a file: `cores` and `rows` are those of this region
