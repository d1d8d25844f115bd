"""From the cycles that the guest printed to a table by hops and fitted lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

MODES = ("pull", "push")
MESSAGE_BYTES = 32
PACKET_BYTES = 4096
# The line is fitted over these distances: core 1 shares the tile of core 0.
FIT_HOPS = range(1, 9)


@dataclass(frozen=True)
class Measurement:
    """What one core printed for one mode and message size."""

    core: int
    hops: int
    mode: str
    bytes: int
    rounds: int
    cycles: int
    shortest: int
    longest: int


@dataclass(frozen=True)
class Fit:
    """A least-squares line."""

    slope: float
    intercept: float
    r_squared: float


def parse(core: int, hops: int, text: str) -> list[Measurement]:
    """The measurements in a guest's output.

    >>> parse(2, 1, "push 32 400 123000 300 340\\n")[0].cycles
    123000
    """
    found = []
    for line in text.splitlines():
        mode, *numbers = line.split()
        size, rounds, cycles, shortest, longest = map(int, numbers)
        found.append(Measurement(core, hops, mode, size, rounds, cycles, shortest, longest))
    return found


def round_trip_ns(measurement: Measurement, period_ps: int) -> Fraction:
    """Mean time of a round."""
    return Fraction(measurement.cycles * period_ps, measurement.rounds * 1000)


def throughput_mib(measurement: Measurement, period_ps: int) -> Fraction:
    """MiB per second that pass when every round moves one packet."""
    seconds = round_trip_ns(measurement, period_ps) / 10**9
    return Fraction(measurement.bytes, 2**20) / seconds


def mean_by_hops(pairs: Iterable[tuple[int, Fraction]]) -> dict[int, Fraction]:
    """The mean of the values at each distance.

    >>> mean_by_hops([(1, Fraction(4)), (2, Fraction(7)), (1, Fraction(6))])
    {1: Fraction(5, 1), 2: Fraction(7, 1)}
    """
    groups: dict[int, list[Fraction]] = {}
    for hops, value in pairs:
        groups.setdefault(hops, []).append(value)
    return {hops: sum(group, Fraction()) / len(group) for hops, group in sorted(groups.items())}


def fit_line(points: Sequence[tuple[int, Fraction]]) -> Fit:
    """Least squares in exact arithmetic, so that the digits are the same everywhere.

    >>> fit_line([(1, Fraction(5)), (2, Fraction(7)), (3, Fraction(9))])
    Fit(slope=2.0, intercept=3.0, r_squared=1.0)
    """
    n = len(points)
    mean_x = Fraction(sum(x for x, _ in points), n)
    mean_y = sum((y for _, y in points), Fraction()) / n
    xx = sum((x - mean_x) ** 2 for x, _ in points)
    xy = sum((x - mean_x) * (y - mean_y) for x, y in points)
    yy = sum((y - mean_y) ** 2 for _, y in points)
    slope = Fraction(xy) / xx
    r_squared = slope * xy / yy if yy else Fraction(1)
    return Fit(float(slope), float(mean_y - slope * mean_x), float(r_squared))


def summarise(measurements: Sequence[Measurement], period_ps: int) -> dict[str, Any]:
    """For each mode: means by hops, the fitted line of the round trip, and all cores."""
    summary: dict[str, Any] = {}
    for mode in MODES:
        of_mode = [m for m in measurements if m.mode == mode]
        trips = {
            m.core: (m.hops, round_trip_ns(m, period_ps))
            for m in of_mode
            if m.bytes == MESSAGE_BYTES
        }
        rates = {
            m.core: (m.hops, throughput_mib(m, period_ps))
            for m in of_mode
            if m.bytes == PACKET_BYTES
        }
        trip_by_hops = mean_by_hops(trips.values())
        rate_by_hops = mean_by_hops(rates.values())
        fit = fit_line([(h, v) for h, v in trip_by_hops.items() if h in FIT_HOPS])
        summary[mode] = {
            "round_trip_fit": {
                "slope_ns_per_hop": round(fit.slope, 4),
                "intercept_ns": round(fit.intercept, 3),
                "r_squared": round(fit.r_squared, 6),
                "hops": [FIT_HOPS[0], FIT_HOPS[-1]],
            },
            "by_hops": [
                {
                    "hops": hops,
                    "cores": sum(1 for h, _ in trips.values() if h == hops),
                    "round_trip_ns": round(float(trip), 3),
                    "throughput_mib_s": round(float(rate_by_hops[hops]), 3),
                }
                for hops, trip in trip_by_hops.items()
            ],
            "by_core": [
                {
                    "core": core,
                    "hops": hops,
                    "round_trip_ns": round(float(trip), 3),
                    "throughput_mib_s": round(float(rates[core][1]), 3),
                }
                for core, (hops, trip) in sorted(trips.items())
            ],
        }
    return summary


def table(summary: dict[str, Any], published: dict[str, Any]) -> str:
    """The result in words and numbers, as the demo prints it."""
    lines = [
        "            round trip of 32 bytes      throughput of 4 KB packets",
        "hops cores     pull ns    push ns        pull MiB/s   push MiB/s",
    ]
    for pull, push in zip(summary["pull"]["by_hops"], summary["push"]["by_hops"], strict=True):
        lines.append(
            f"{pull['hops']:4d} {pull['cores']:5d} {pull['round_trip_ns']:11.1f}"
            f" {push['round_trip_ns']:10.1f} {pull['throughput_mib_s']:17.1f}"
            f" {push['throughput_mib_s']:12.1f}"
        )
    for mode in MODES:
        fit = summary[mode]["round_trip_fit"]
        lines.append(
            f"{mode}: {fit['intercept_ns']:.0f} ns + {fit['slope_ns_per_hop']:.2f} ns per hop,"
            f" R² {fit['r_squared']:.5f} over {fit['hops'][0]} to {fit['hops'][1]} hops"
        )
    trip, slope = published["sct-rtt-poll"]["value"], published["sct-rtt-slope"]["value"]
    rate = published["sct-thr-poll"]["value"]
    lines.append(
        f"on the chip (pull, {published['sct-rtt-poll']['source']}): {trip[0]} to {trip[1]} ns,"
        f" {slope} ns per hop; {rate[0]} to {rate[1]} MiB/s"
    )
    return "\n".join(lines)
