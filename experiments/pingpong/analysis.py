"""From the cycles that the guest printed to a table by hops and fitted lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings, fit_line, hops, mean_by
from rockcreek.repro.runs import Run

MODES = ("pull", "push")
MESSAGE_BYTES = 32
PACKET_BYTES = 4096
# The line is fitted over these distances: core 1 shares the tile of core 0.
FIT_HOPS = range(1, 9)
# RCCE's own ping-pong: how it copies, and the sizes that were published (11 of them).
COPIES = ("bytes", "words")
SIZES = (32, 256, 1024, 4096, 8192, 16384, 65536, 131072, 262144, 524288, 1048576)


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


def parse(core: int, distance: int, text: str) -> list[Measurement]:
    """The measurements in a guest's output.

    >>> parse(2, 1, "push 32 400 123000 300 340\\n")[0].cycles
    123000
    """
    found = []
    for line in text.splitlines():
        mode, *numbers = line.split()
        size, rounds, cycles, shortest, longest = map(int, numbers)
        found.append(Measurement(core, distance, mode, size, rounds, cycles, shortest, longest))
    return found


def round_trip_ns(measurement: Measurement, period_ps: int) -> Fraction:
    """Mean time of a round."""
    return Fraction(measurement.cycles * period_ps, measurement.rounds * 1000)


def throughput_mib(measurement: Measurement, period_ps: int) -> Fraction:
    """MiB per second that pass when every round moves one packet."""
    seconds = round_trip_ns(measurement, period_ps) / 10**9
    return Fraction(measurement.bytes, 2**20) / seconds


def summarise(measurements: Sequence[Measurement], period_ps: int) -> dict[str, Any]:
    """For each mode: means by hops, the fitted line of the round trip, and all cores."""
    summary: dict[str, Any] = {}
    for mode in MODES:
        of_mode = [m for m in measurements if m.mode == mode]
        trips = {m.core: m for m in of_mode if m.bytes == MESSAGE_BYTES}
        packets = {m.core: m for m in of_mode if m.bytes == PACKET_BYTES}
        trip_by_hops = mean_by((m.hops, round_trip_ns(m, period_ps)) for m in trips.values())
        rate_by_hops = mean_by((m.hops, throughput_mib(m, period_ps)) for m in packets.values())
        fit = fit_line((h, v) for h, v in trip_by_hops.items() if h in FIT_HOPS)
        summary[mode] = {
            "round_trip_fit": vars(fit),
            "by_hops": [
                {
                    "hops": distance,
                    "cores": sum(m.hops == distance for m in trips.values()),
                    "round_trip_ns": trip,
                    "throughput_mib_s": rate_by_hops[distance],
                }
                for distance, trip in trip_by_hops.items()
            ],
            "by_core": [
                {
                    "core": core,
                    "hops": m.hops,
                    "round_trip_ns": round_trip_ns(m, period_ps),
                    "throughput_mib_s": throughput_mib(packets[core], period_ps),
                }
                for core, m in sorted(trips.items())
            ],
        }
    return summary


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    measurements: list[Measurement] = []
    rcce = {run.job: one_way_us(run.text, chip.core_period_ps) for run in runs if run.job in COPIES}
    for run in runs:
        if run.job in COPIES:
            continue
        core = run.values["other"]
        distance = hops(chip.tile_of(0), chip.tile_of(core))
        measurements += parse(core, distance, run.text)
    summary = summarise(measurements, chip.core_period_ps)
    pull = summary["pull"]["by_hops"]
    slopes = {mode: summary[mode]["round_trip_fit"]["slope"] for mode in MODES}
    ends = pull[0], pull[-1]
    copied = rcce.get("bytes", {})
    whole = {"ircce-pp-rcce": [copied[size] for size in SIZES]} if SIZES[-1] in copied else {}
    return Findings(
        values={
            **whole,
            "sct-rtt-slope-theory": slopes["pull"],
            "sct-rtt-slope": slopes["pull"],
            "sct-rtt-poll": [row["round_trip_ns"] for row in ends],
            "sct-thr-poll": [row["throughput_mib_s"] for row in ends],
        },
        checks={
            "push has a third of the slope of pull": Answer(
                8 <= slopes["push"] <= 12,
                ", ".join(f"{mode} {slope:.2f} ns per hop" for mode, slope in slopes.items()),
            )
        },
        tables={
            "By distance": _table(summary),
            "A message by RCCE between the two cores of a tile, one way (us)": _copies(rcce),
        },
        data={"period_ps": chip.core_period_ps, "modes": summary},
    )


def one_way_us(text: str, period_ps: int) -> dict[int, Fraction]:
    """By size, half of a round of RCCE's ping-pong.

    >>> float(one_way_us("32 64 128000\\n", 1875)[32])
    1.875
    """
    found = {}
    for line in text.splitlines():
        size, rounds, cycles = map(int, line.split())
        found[size] = Fraction(cycles * period_ps, 2 * rounds * 10**6)
    return found


def _copies(rcce: Mapping[str, Mapping[int, Fraction]]) -> list[list[str]]:
    sizes = sorted({size for by_size in rcce.values() for size in by_size})
    rows = [["bytes of the message", *(f"copied by {how}" for how in rcce)]]
    for size in sizes:
        rows.append([str(size), *(f"{float(rcce[how][size]):.2f}" for how in rcce)])
    return rows


def _table(summary: dict[str, Any]) -> list[list[str]]:
    head = ["hops", "cores", "pull, ns", "push, ns", "pull, MiB/s", "push, MiB/s"]
    rows = [head]
    for pull, push in zip(summary["pull"]["by_hops"], summary["push"]["by_hops"], strict=True):
        trips = [f"{float(row['round_trip_ns']):.1f}" for row in (pull, push)]
        rates = [f"{float(row['throughput_mib_s']):.1f}" for row in (pull, push)]
        rows.append([str(pull["hops"]), str(pull["cores"]), *trips, *rates])
    return rows
