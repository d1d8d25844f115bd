"""What the counters of a result say of each core: its clock, its work, what it waited for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean, median

from rockcreek.formats.result import CoreEnd, Result
from rockcreek.formats.statistics import Controller as CountedController
from rockcreek.formats.statistics import Counters, Traffic

_Units = Mapping[str, Traffic]  # what one core exchanged with each unit


@dataclass(frozen=True)
class Core:
    """One core of the run. Shares are of the run's time."""

    core: int
    tile: str
    mhz: float | None  # its clock in the mean; None if the core was reset meanwhile
    ended: float  # the share from its end to the end of the run
    memory: float
    mpb: float
    polling: float  # of mpb: looking at flags again and again
    registers: float  # test-and-set locks and other registers of tiles
    board: float
    halted: float
    faults: int  # exceptions, page faults most of all
    interrupts: int
    misses: int  # of L2
    instructions: int

    @property
    def waiting(self) -> float:
        """Waiting for other cores, as far as counters know."""
        return min(1.0, self.ended + self.polling + self.registers + self.halted)

    @property
    def working(self) -> float:
        return 1.0 - self.waiting


@dataclass(frozen=True)
class Controller:
    """A memory controller."""

    number: int
    busy: float  # share of the run's time
    queued: float  # of the time that requests spent there, the share in its queue
    waited: float  # share of all cores' time that waited for this controller


@dataclass(frozen=True)
class Measures:
    """A run in numbers."""

    name: str
    time_ps: int
    end: str
    cores: list[Core]
    controllers: list[Controller]

    def mean(self, what: str) -> float:
        """Mean over the cores of one of their shares."""
        return fmean(getattr(one, what) for one in self.cores)

    @property
    def usual_mhz(self) -> float | None:
        """The clock of most cores."""
        known = [one.mhz for one in self.cores if one.mhz is not None]
        return median(known) if known else None


def of(result: Result) -> Measures:
    """The numbers of a result."""
    time_ps = max(1, result["time_ps"])
    counters = result["statistics"]["cores"]
    traffic: list[_Units] = [*result["statistics"].get("traffic", []), *({} for _ in counters)]
    restarted = {one["core"] for one in result.get("restarts", [])}
    cores = [
        _core(end, counters[end["core"]], traffic[end["core"]], time_ps, end["core"] in restarted)
        for end in result["cores"]
    ]
    run = [end["core"] for end in result["cores"]]
    return Measures(
        name=result["program"]["name"],
        time_ps=time_ps,
        end=result["end"],
        cores=cores,
        controllers=[
            _controller(number, one, [traffic[core] for core in run], time_ps)
            for number, one in enumerate(result["statistics"]["memory"])
        ],
    )


def _core(end: CoreEnd, counted: Counters, traffic: _Units, time_ps: int, restarted: bool) -> Core:
    end_ps = end["end_ps"] or time_ps
    stalls, inside, cache = counted["stalls"], counted["core"], counted["cache"]
    cycles = max(1, counted["cycles"])
    reads = sum(one["packets"] for unit, one in traffic.items() if unit.startswith("mpb "))
    invalidations = inside.get("message_buffer_invalidations", 0)
    mpb = min(1.0, stalls["mpb_ps"] / time_ps)
    return Core(
        core=end["core"],
        tile=f"{end['tile']['x']},{end['tile']['y']}",
        mhz=None if restarted or end_ps <= 0 else counted["cycles"] * 1e6 / end_ps,
        ended=max(0.0, 1 - end_ps / time_ps),
        memory=min(1.0, stalls["memory_ps"] / time_ps),
        mpb=mpb,
        # A look at a flag drops its line from L1 and reads it: one invalidation, one packet.
        polling=mpb * min(1.0, invalidations / reads) if reads else 0.0,
        registers=min(1.0, stalls["crb_ps"] / time_ps),
        board=min(1.0, stalls["system_ps"] / time_ps),
        halted=inside["halted_cycles"] / cycles * min(1.0, end_ps / time_ps),
        faults=inside.get("exceptions", 0),
        interrupts=inside.get("interrupts", 0),
        misses=cache["l2_fills"],
        instructions=inside["instructions"],
    )


def _controller(
    number: int, counted: CountedController, traffic: list[_Units], time_ps: int
) -> Controller:
    unit = f"memory {number}"
    waited = sum(one[unit]["waited_ps"] for one in traffic if unit in one)
    queue = counted.get("waited_ps", 0)
    return Controller(
        number=number,
        busy=counted.get("busy_ps", 0) / time_ps,
        queued=min(1.0, queue / waited) if waited else 0.0,
        waited=waited / (time_ps * max(1, len(traffic))),
    )
