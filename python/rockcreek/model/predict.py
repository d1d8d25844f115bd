"""Cycles, time, power and efficiency at each divider, and the best divider."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rockcreek.description import Description
from rockcreek.errors import ConfigError, UsageError
from rockcreek.model.kernel import Kernel

DIVIDERS = range(2, 17)
# One busy core adds 0.416 W at 533 MHz and 1.1 V [marc-2011, power study]: P / (V^2 f).
FARAD = 0.416 / (1.1**2 * 533e6)


@dataclass(frozen=True)
class Point:
    """A kernel at one divider."""

    divider: int
    mhz: float
    volts: float
    cycles: float
    seconds: float
    watts: float
    flop: float

    @property
    def joules(self) -> float:
        return self.watts * self.seconds

    @property
    def edp(self) -> float:
        return self.joules * self.seconds

    @property
    def gflops_per_watt(self) -> float:
        return self.flop / self.joules / 1e9


# Metric: what is to be as small as can be.
METRICS: Mapping[str, Callable[[Point], float]] = {
    "time": lambda point: point.seconds,
    "energy": lambda point: point.joules,
    "edp": lambda point: point.edp,
    "gflops-per-watt": lambda point: -point.gflops_per_watt,
}


def volts_of(chip: Description, mhz: float) -> float | None:
    """The least voltage that bears this tile clock, by the chip description; None if none does."""
    needs = chip.values.get("power", {}).get("needs")
    if not needs:
        raise ConfigError(
            f"{chip.origin}: there is no table power.needs",
            path=chip.origin,
            hint="the chip `scc` has one: which voltage a tile clock needs",
        )
    for need in needs:
        if mhz <= need["mhz"] + 1:  # 1600 MHz / 3 is given as 533
            return float(need["level"]) * 0.00625
    return None


def predict(
    kernel: Kernel,
    chip: Description,
    *,
    dividers: Sequence[int] = DIVIDERS,
    farad: float = FARAD,
    exponent: float = 2,
) -> list[Point]:
    """A point for each divider: P = C V^exponent f."""
    for divider in dividers:
        if divider not in DIVIDERS:
            raise UsageError(f"divider {divider}: they are 2 to 16")
    fast = float(chip.values["clocks"]["fast"]["value"])
    return [_point(kernel, chip, divider, fast / divider, farad, exponent) for divider in dividers]


def _point(
    kernel: Kernel, chip: Description, divider: int, mhz: float, farad: float, exponent: float
) -> Point:
    volts = volts_of(chip, mhz)
    if volts is None:
        raise UsageError(f"divider {divider}: no voltage bears {mhz:.0f} MHz")
    access = kernel.core_cycles + kernel.memory_ps * mhz / 10**6
    waiting = kernel.accesses / kernel.pending * access
    both = (kernel.compute, waiting)
    cycles = max(both) if kernel.rule == "max" else sum(both)
    watts = farad * volts**exponent * mhz * 1e6
    return Point(divider, mhz, volts, cycles, cycles / mhz / 1e6, watts, kernel.flop)


def bound(kernel: Kernel, point: Point) -> str:
    """The limit of the kernel at this clock: `memory` or `compute`."""
    access = kernel.core_cycles + kernel.memory_ps * point.mhz / 10**6
    return "memory" if kernel.accesses / kernel.pending * access > kernel.compute else "compute"


def best(points: Sequence[Point], metric: str) -> Point:
    """The best point; among equals (to a part in 10^9) the fastest."""
    if metric == "gflops-per-watt" and not points[0].flop:
        raise UsageError(
            "--metric gflops-per-watt: the kernel has no floating-point operations",
            hint="give their number with --flop",
        )
    value = METRICS[metric]
    least = min(map(value, points))
    return min(
        (point for point in points if value(point) - least <= abs(least) * 1e-9),
        key=lambda point: point.seconds,
    )
