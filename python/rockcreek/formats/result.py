"""The result of a run (docs/guide/result-json.md)."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from rockcreek.formats.common import Code, Core, Count, Headed, Positive, Program, Word
from rockcreek.formats.energy import Energy, Voltage
from rockcreek.formats.findings import Check
from rockcreek.formats.host_profile import HostProfile
from rockcreek.formats.messages import Messages
from rockcreek.formats.statistics import RegionCounters, Statistics
from rockcreek.formats.waiting import Waiting


class Chip(TypedDict):
    """The chip that it ran on."""

    name: str
    sha256: str
    clocks: str  # MHz of tiles, mesh and memory data
    columns: Positive
    rows: Positive
    jitter: NotRequired[Count | None]


class Tile(TypedDict):
    """The place of a tile in the mesh."""

    x: Core
    y: Core


class CoreEnd(TypedDict):
    """The end of one core of the run."""

    core: Core
    rank: Core
    tile: Tile
    reason: str
    exit_code: Code | None
    end_ps: Count | None
    waits: list[str]
    signal: NotRequired[str | None]
    eip: NotRequired[Word | None]
    address: NotRequired[Word | None]
    vector: NotRequired[Word | None]


class Mark(TypedDict):
    """A user mark."""

    time_ps: Count
    core: Core
    id: Code


class Restart(TypedDict):
    """A core that a triple fault has reset."""

    core: Core
    time_ps: NotRequired[int]
    vector: NotRequired[int]
    eip: NotRequired[int]


class CoreSamples(TypedDict):
    """What a core did in each interval."""

    core: Core
    cycles: list[Count]
    instructions: list[Count]
    waiting_cycles: list[Count]
    misses: list[Count]
    energy_fj: NotRequired[list[Count] | None]


class LinkSamples(TypedDict):
    """Flits over the way out of a router, in each interval."""

    x: Core
    y: Core
    way: str
    flits: list[Count]


class Samples(TypedDict):
    """Activity over time: the key `samples`."""

    start_ps: Count
    end_ps: list[Count]
    cores: list[CoreSamples]
    links: list[LinkSamples]
    every_ps: NotRequired[int]
    dropped: NotRequired[int]


class RegionEnergy(TypedDict):
    """The energy of the region of interest."""

    total_fj: int
    mean_uw: int
    edp_pj_s: int


class RegionCore(TypedDict):
    """The region of interest on one core."""

    core: int
    begin_ps: int
    end_ps: int
    cycles: int
    counters: RegionCounters


class Region(TypedDict):
    """The region of interest: the key `roi`."""

    name: str
    begin_ps: int
    end_ps: int
    time_ps: int
    instructions: int
    totals: dict[str, int]
    cores: list[RegionCore]
    energy: NotRequired[RegionEnergy]


class Fault(TypedDict):
    """An injected fault."""

    id: int
    kind: str
    place: dict[str, int | str | float]
    at_ps: int
    drawn: bool
    time_ps: int | None
    happened: bool
    address: int
    before: int
    after: int


class Noticed(TypedDict):
    """What a core noticed of the faults."""

    core: int
    noticed: str


class Faults(TypedDict):
    """The key `faults`."""

    seed: int
    faults: list[Fault]
    lost_packets: int
    cores: list[Noticed]


class Host(TypedDict):
    """Values that depend on the host."""

    wall_s: float
    mips: float  # millions of guest instructions in a second
    slowdown: float | None
    began_ps: NotRequired[int]  # simulated time of the snapshot that the run went on from; else 0
    program: str
    directory: str
    command: list[str]
    versions: dict[str, str]
    platform: str
    profile: NotRequired[HostProfile]


class ReadResult(Headed):
    """The parts of the document that commands read again: files are held against this."""

    end: str
    partial: bool
    exit_code: Code
    errors: list[str]
    program: Program
    chip: Chip
    time_ps: Count
    instructions: Count
    totals: dict[str, Count]
    cores: list[CoreEnd]
    marks: list[Mark]
    statistics: Statistics
    state_hash: str
    energy: NotRequired[Energy | None]
    samples: NotRequired[Samples | None]
    messages: NotRequired[Messages | None]
    restarts: NotRequired[list[Restart]]
    waiting: NotRequired[Waiting | None]
    check: NotRequired[Check | None]


class Result(ReadResult):
    """The document."""

    roi: NotRequired[Region | None]
    faults: NotRequired[Faults | None]
    voltage: NotRequired[Voltage]
    marks_dropped: NotRequired[int]
    host: NotRequired[Host]
