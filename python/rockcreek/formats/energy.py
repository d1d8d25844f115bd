"""The energy of a run: what the engine returns, and the key `energy` of a result."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from rockcreek.formats.common import Core, Count

Parts = dict[str, int]  # femtojoules, by the name of the part


class EngineMeter(TypedDict):
    """The guest's power meter."""

    conversions: int
    time_ps: int
    domains_fj: list[int]
    power_uw: int


class EngineMark(TypedDict):
    """Energies at a user mark."""

    mark: int  # its number
    domains_fj: list[int]
    core_fj: int


class EngineEnergy(TypedDict):
    """Femtojoules since power-on, as the engine returns them: units by kind, each with its parts,
    and the voltage domain of each unit."""

    time_ps: int
    domains_fj: list[int]
    cores: list[Parts]
    tiles: list[Parts]
    routers: list[Parts]
    memory: list[Parts]
    system: list[Parts]
    clocks: list[Parts]
    cores_domain: list[int]
    tiles_domain: list[int]
    routers_domain: list[int]
    memory_domain: list[int]
    system_domain: list[int]
    clocks_domain: list[int]
    meter: EngineMeter
    # Only if energies were observed: instants, all domains at each, how many had no room.
    sample_ps: NotRequired[list[int]]
    sample_fj: NotRequired[list[list[int]]]
    samples_dropped: NotRequired[int]
    marks: NotRequired[list[EngineMark]]


class DomainEnergy(TypedDict):
    """A voltage domain over the whole run."""

    domain: int
    name: str
    total_fj: int
    mean_uw: int
    peak_uw: int
    edp_pj_s: int
    parts: Parts


class CoreEnergy(TypedDict):
    """A core of the chip over the whole run."""

    core: Core
    total_fj: Count
    domain: NotRequired[int]
    mean_uw: NotRequired[int]
    edp_pj_s: NotRequired[int]
    parts: NotRequired[Parts]


class EnergySamples(TypedDict):
    """The energies of each interval between two samples, by domain."""

    start_ps: Count
    end_ps: list[Count]
    domains_fj: list[list[Count]]
    every_ps: NotRequired[int]
    before_fj: NotRequired[list[int]]  # of each domain, at `start_ps`
    dropped: NotRequired[int]


class Meter(EngineMeter):
    """The last values of the guest's power meter."""

    total_fj: int


class MarkEnergy(TypedDict):
    """Energies since power-on at a user mark."""

    time_ps: int
    core: int
    id: int
    total_fj: int
    domain_fj: int
    core_fj: int


class RegionEnergy(TypedDict):
    """Sums over all passes of a core through a region."""

    core: int
    region: int
    count: int
    time_ps: int
    total_fj: int
    domain_fj: int
    core_fj: int
    mean_uw: int
    edp_pj_s: int


class EnergySums(TypedDict):
    """The energy of a run without its samples."""

    total_fj: Count
    mean_uw: Count
    peak_uw: Count
    edp_pj_s: Count
    cores: list[CoreEnergy]
    time_ps: NotRequired[int]
    peak_ps: NotRequired[int]
    domains: NotRequired[list[DomainEnergy]]
    tiles: NotRequired[list[Parts]]
    routers: NotRequired[list[Parts]]
    memory: NotRequired[list[Parts]]
    system: NotRequired[list[Parts]]
    clocks: NotRequired[list[Parts]]
    meter: NotRequired[Meter]
    marks: NotRequired[list[MarkEnergy]]
    regions: NotRequired[list[RegionEnergy]]


class Energy(EnergySums):
    """The key `energy` of a result."""

    samples: EnergySamples


class VoltageViolation(TypedDict):
    """A tile whose clock began to need more than its voltage."""

    time_ps: int
    tile: int
    cores: list[int]
    divider: int
    millivolts: int
    needed_millivolts: int | None  # none: no level suffices


class RefusedVoltage(TypedDict):
    """A command that the voltage regulator refused."""

    time_ps: int
    core: int
    domain: int
    millivolts: int


class Voltage(TypedDict):
    """The key `voltage` of a result."""

    violations: list[VoltageViolation]
    refused: list[RefusedVoltage]
