"""Latency by distance, mean time to take a contended register, mean time of a barrier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings, fit_line, hops, mean
from rockcreek.repro.runs import Run

Curve = dict[int, Fraction]  # ns by the number of cores
HOP_NS = 10  # 4 mesh cycles each way at 800 MHz


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    period = Fraction(chip.core_period_ps, 1000)
    taking: list[tuple[int, Fraction]] = []
    releasing: list[tuple[int, Fraction]] = []
    times: dict[str, Curve] = {}
    accesses: dict[int, Fraction] = {}
    for run in runs:
        rows = [list(map(int, line.split())) for line in run.text.splitlines()]
        if run.job == "latency":
            for tile, take, release in rows:
                place = tile % chip.columns, tile // chip.columns
                taking.append((hops((0, 0), place), take * period))
                releasing.append((hops((0, 0), place), release * period))
            continue
        cores, way = len(run.cores), run.values["way"]
        times.setdefault(way, {})[cores] = mean(row[1] for row in rows) * period
        if way == "backoff":
            used = sum(row[2] for row in rows)
            accesses[cores] = Fraction(used, cores * run.values["rounds"])
    return Findings(
        values={"sync-backoff-accesses": accesses[1]},
        trends={
            "sync-tas-lat": _latency(taking, releasing),
            "sync-lock-contention": _contention(times),
            "sync-barrier": _barrier(times),
        },
        checks={
            "without contention back-off loses nothing": Answer(
                times["backoff"][1] <= times["spin"][1] * Fraction(102, 100),
                f"{float(times['backoff'][1]):.0f} ns against {float(times['spin'][1]):.0f} ns",
            )
        },
        tables={
            "Mean time to take the register (ns), by cores": _table(times, ["spin", "backoff"]),
            "Mean time of a barrier (ns), by cores": _table(times, ["tas", "rcce"]),
        },
        data={"taking_ns": taking, "releasing_ns": releasing, "ns": times, "accesses": accesses},
    )


def _latency(taking: list[tuple[int, Fraction]], releasing: list[tuple[int, Fraction]]) -> Answer:
    """A line over the other tiles; the own tile, through its router, is nearer than two hops."""
    told, holds = [], True
    for name, points in (("taking", taking), ("releasing", releasing)):
        fit = fit_line(point for point in points if point[0] > 0)
        own = next(time for distance, time in points if distance == 0)
        holds &= fit.r_squared > 0.99 and abs(fit.slope / HOP_NS - 1) < 0.1
        holds &= own < fit.intercept + 2 * fit.slope
        told.append(
            f"{name}: own tile {float(own):.0f} ns, others {fit.intercept:.0f} ns + "
            f"{fit.slope:.2f} ns per hop, R² {fit.r_squared:.5f}"
        )
    return Answer(holds, "\n".join(told))


def _contention(times: Mapping[str, Curve]) -> Answer:
    """With the most cores: steeper than linear from one core, and back-off below it."""
    spin, backoff = times["spin"], times["backoff"]
    most = max(spin)
    rising = all(spin[a] < spin[b] for a, b in pairwise(sorted(spin)))
    told = ", ".join(
        f"{cores} cores: {float(spin[cores]):.0f} and {float(backoff[cores]):.0f} ns"
        for cores in spin
    )
    return Answer(rising and backoff[most] < spin[most], f"spinning and back-off: {told}")


def _barrier(times: Mapping[str, Curve]) -> Answer:
    tas, rcce = times["tas"], times["rcce"]
    told = ", ".join(
        f"{cores} cores: {float(tas[cores]):.0f} and {float(rcce[cores]):.0f} ns" for cores in tas
    )
    return Answer(all(tas[cores] < rcce[cores] for cores in tas), f"test-and-set and RCCE: {told}")


def _table(times: Mapping[str, Curve], ways: Sequence[str]) -> list[list[str]]:
    rows = [["cores", *ways]]
    for cores in times[ways[0]]:
        rows.append([str(cores), *(f"{float(times[way][cores]):.0f}" for way in ways)])
    return rows
