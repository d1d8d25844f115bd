"""A kernel's counts from the JSON of one run."""

from __future__ import annotations

from rockcreek.errors import UsageError
from rockcreek.formats.result import Result
from rockcreek.model.kernel import Kernel

_CORE_CYCLES = 40  # of an access, in the core's clock
_READS = ("l2_fills", "reads_from_bus", "uncached_fetches")


def fit(result: Result, core: int | None = None, *, path: str = "the result") -> Kernel:
    """The counts of a run's first core, or of `core`, at the clock that it was started with."""
    numbers = [entry["core"] for entry in result["cores"]]
    if core is not None and core not in numbers:
        raise UsageError(f"{path}: core {core} did not run", hint=f"these did: {numbers}")
    counters = result["statistics"]["cores"][numbers[0] if core is None else core]
    core_counters = counters["core"]
    return from_counts(
        cycles=int(counters["cycles"]) - int(core_counters["halted_cycles"]),
        waiting=int(core_counters["waiting_cycles"]),
        memory_ps=int(counters["stalls"]["memory_ps"]),
        accesses=sum(int(counters["cache"][key]) for key in _READS),
        flop=int(core_counters["floating_point_operations"]),
        mhz=int(str(result["chip"]["clocks"]).split("/", maxsplit=1)[0]),
    )


def from_counts(
    *, cycles: int, waiting: int, memory_ps: int, accesses: int, flop: int, mhz: float
) -> Kernel:
    """The core computes in the cycles in which it does not wait. What it waits for memory, shared
    among the lines and words that it read, is how long an access takes: what it could not hide.

    >>> from_counts(cycles=300, waiting=200, memory_ps=200000, accesses=2, flop=0,
    ...             mhz=1000).memory_ps
    60000.0
    """
    each_ps = memory_ps / accesses if accesses else 0.0
    period_ps = 10**6 / mhz
    core_cycles = min(_CORE_CYCLES, each_ps / period_ps)
    return Kernel(
        compute=cycles - waiting,
        accesses=accesses,
        flop=flop,
        pending=1,
        rule="sum",
        core_cycles=core_cycles,
        memory_ps=each_ps - core_cycles * period_ps,
    )
