"""What a run of the benchmarks shows: the few figures that are asked of this version.

Every figure is computed from the document of campaign.py; one that could not be measured says why.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Document = Mapping[str, Any]


class Unmeasured(Exception):
    """A figure needs a run that is not there."""


@dataclass(frozen=True)
class Demand:
    """One figure, what is asked of it, and what is aimed at."""

    name: str
    about: str
    unit: str
    asked: float
    aim: float | None
    at_least: bool
    value: Callable[[Document], float]

    def meets(self, value: float) -> bool:
        return value >= self.asked if self.at_least else value <= self.asked


def times(
    document: Document, program: str, tool: str = "rck", *, wall: bool = False
) -> list[float]:
    """The runs' processor times (or wall times), in seconds, in their turns."""
    record = document["programs"].get(program)
    if record is None:
        raise Unmeasured(document["unable"].get(program, f"{program} was not run"))
    runs = record["runs"].get(tool)
    if not runs:
        raise Unmeasured(document["missing"].get(tool, f"{tool} did not run"))
    keys = ("wall_s",) if wall else ("user_s", "system_s")
    return [sum(float(run[key]) for key in keys) for run in runs]


def best(document: Document, program: str, tool: str = "rck", *, wall: bool = False) -> float:
    """The fastest of them."""
    return min(times(document, program, tool, wall=wall))


def beside(document: Document, program: str, other: str, *, wall: bool = False) -> float:
    """How many times as long a program of ours takes as another one: the median of the turns, in
    each of which one follows the other. From turn to turn a shared host's speed changes."""
    pairs = zip(
        times(document, program, wall=wall), times(document, other, wall=wall), strict=False
    )
    return statistics.median(one / another for one, another in pairs)


def ratio(document: Document, program: str, tool: str) -> float:
    """How many times as fast as the tool."""
    return best(document, program, tool) / best(document, program)


def mips(document: Document, program: str, tool: str = "rck") -> float:
    """Millions of guest instructions a second, as rck counts instructions (a REP as one)."""
    seconds = best(document, program, tool)
    return float(document["programs"][program]["execution"]["instructions"] / seconds / 1e6)


def transactions(document: Document, program: str) -> float:
    """Millions of accesses that reached the mesh, a second."""
    seconds = best(document, program)
    return float(document["programs"][program]["execution"]["transactions"] / seconds / 1e6)


def compared(document: Document, group: str | None = None) -> list[str]:
    """The programs that other tools run too."""
    found = [
        name
        for name, record in document["programs"].items()
        if record["group"] and group in (None, record["group"])
    ]
    if not found:
        raise Unmeasured("no program with peers was run")
    return found


def geometric_mean(values: Iterable[float]) -> float:
    logarithms = [math.log(value) for value in values]
    return math.exp(sum(logarithms) / len(logarithms))


def mean_ratio(document: Document, tool: str, group: str | None = None) -> float:
    return geometric_mean(ratio(document, name, tool) for name in compared(document, group))


def lowest_ratio(document: Document, tool: str, group: str | None = None) -> float:
    return min(ratio(document, name, tool) for name in compared(document, group))


def threads_gain(document: Document) -> float:
    """By wall time; the state must be the same."""
    one, two = "compute_48", "compute_48_threads"
    gain = beside(document, one, two, wall=True)
    hashes = {document["programs"][name]["execution"]["state_hash"] for name in (one, two)}
    if len(hashes) > 1:
        raise RuntimeError(f"{two} ends in another state than {one}")
    return gain


def busy_share(document: Document) -> float:
    """MIPS of 48 busy cores against one."""
    one, many = "compute_1", "compute_48"
    quicker = beside(document, one, many)
    counts = [document["programs"][name]["execution"]["instructions"] for name in (many, one)]
    return quicker * float(counts[0]) / float(counts[1])


def host_gain(document: Document) -> float:
    """How much more two processors of the host do for two processes than one does for one."""
    alone = times(document, "compute_48", wall=True)
    pairs = document["programs"].get("compute_48_threads", {}).get("pair_wall_s")
    if not pairs:
        raise Unmeasured("no pair was run")
    both = zip(alone, pairs, strict=False)
    return 2 * statistics.median(one / float(pair) for one, pair in both)


def started(document: Document, name: str, key: str) -> float:
    """The best wall time or memory of a hello."""
    entry = document["start"].get(name)
    if entry is None or not entry["runs"]:
        raise Unmeasured((entry or {}).get("unable", "not run"))
    return float(min(run[key] for run in entry["runs"]))


GIB = 2**30

DEMANDS = (
    Demand(
        "cachegrind-mean", "one busy core against cachegrind, geometric mean", "times", 1.5, 3,
        True, lambda d: mean_ratio(d, "cachegrind"),
    ),
    Demand(
        "cachegrind-lowest", "the same, the slowest program", "times", 0.9, 1.3,
        True, lambda d: lowest_ratio(d, "cachegrind"),
    ),
    Demand(
        "x87", "x87 programs against qemu-i386, the slower one", "times", 2, 5,
        True, lambda d: lowest_ratio(d, "qemu", "x87"),
    ),
    Demand(
        "busy-48", "48 busy cores on one host thread: MIPS against one busy core", "times", 0.75,
        0.95, True, busy_share,
    ),
    Demand(
        "threads", "48 busy cores on two host threads against one, wall time", "times", 1.6, None,
        True, threads_gain,
    ),
    Demand(
        "storm", "ping-pong storm on 48 cores, ordered transactions", "million/s", 5, 15,
        True, lambda d: transactions(d, "storm"),
    ),
    Demand(
        "flags", "the same of flags alone, without a library", "million/s", 5, 15,
        True, lambda d: transactions(d, "flags"),
    ),
    Demand(
        "stream", "48 cores streaming DRAM, ordered transactions", "million/s", 5, 15,
        True, lambda d: transactions(d, "stream"),
    ),
    Demand(
        "barrier", "47 cores waiting for one: time against that one alone", "times", 1.3, None,
        False, lambda d: beside(d, "barrier_48", "barrier_1"),
    ),
    Demand(
        "hello-48", "hello on 48 cores, shell to prompt", "s", 1.5, None,
        False, lambda d: started(d, "hello_48", "wall_s"),
    ),
    Demand(
        "hello-512", "hello on 512 cores, shell to prompt", "s", 15, None,
        False, lambda d: started(d, "hello_512", "wall_s"),
    ),
    Demand(
        "memory-512", "its memory", "GiB", 3, None,
        False, lambda d: started(d, "hello_512", "memory_bytes") / GIB,
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """A demand and what was measured of it: a value, or why there is none."""

    demand: Demand
    value: float | None
    why: str = ""

    @property
    def verdict(self) -> str:
        if self.value is None:
            return "not measured"
        return "met" if self.demand.meets(self.value) else "MISSED"

    def to_dict(self) -> dict[str, Any]:
        demand = self.demand
        return {
            "name": demand.name, "about": demand.about, "unit": demand.unit,
            "asked": demand.asked, "aim": demand.aim, "at_least": demand.at_least,
            "value": None if self.value is None else round(self.value, 4),
            "why": self.why, "verdict": self.verdict,
        }  # fmt: skip


def findings(document: Document) -> list[Finding]:
    """All demands, in their order."""
    found = []
    for demand in DEMANDS:
        try:
            found.append(Finding(demand, demand.value(document)))
        except Unmeasured as reason:
            found.append(Finding(demand, None, str(reason)))
    return found
