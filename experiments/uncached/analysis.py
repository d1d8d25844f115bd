"""Times of 4 MB over the hops to each controller, and how straight the line is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings, fit_line, hops, mean
from rockcreek.repro.runs import Run

BYTES = 4 << 20
HOP_NS = 10  # 4 mesh cycles each way at 800 MHz
Points = list[tuple[int, Fraction]]


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    controllers = [unit for unit in chip.edge if unit.name.startswith("MC")]
    points: dict[str, dict[str, Points]] = {"read": {}, "write": {}}
    optimised: dict[str, dict[str, Points]] = {"read": {}, "write": {}}
    copies: list[Fraction] = []
    for run in runs:
        target = points if run.job == "plain" else optimised
        scale = Fraction(BYTES, int(run.values["kib"]) << 10)
        for line in run.text.splitlines():
            number, *cycles = map(int, line.split())
            unit = controllers[number]
            distance = hops(chip.tile_of(run.values["core"]), (unit.x, unit.y))
            times = [Fraction(count * chip.core_period_ps, 10**12) for count in cycles]
            for kind, seconds in zip(target, times, strict=False):
                target[kind].setdefault(unit.name, []).append((distance, seconds * scale))
            if run.job == "optimised":
                copies.append(times[2] * 1000)
    ends = {kind: _ends(by_controller) for kind, by_controller in points.items()}
    reads = [float(value) for value in ends["read"]]
    return Findings(
        values={
            "pipe-mem-read-range": ends["read"],
            "pipe-mem-write-range": ends["write"],
            "lpel-shm-64k": mean(copies),
        },
        trends={"pipe-mem-latency-linear": _linear(points)},
        checks={
            "near and far reads of 4 MB take 0.18 to 0.31 s": Answer(
                reads[0] >= 0.18 and reads[1] <= 0.31, f"{reads[0]:.4f} s, {reads[1]:.4f} s"
            )
        },
        tables={
            "4 MB in seconds": _table(points),
            "The same, optimised, nearest and farthest": _short(optimised),
        },
        data={"seconds": points, "optimised": optimised},
    )


def _ends(by_controller: Mapping[str, Points]) -> list[Fraction]:
    """The mean time at the smallest and at the largest distance."""
    every = [point for points in by_controller.values() for point in points]
    return [
        mean(value for distance, value in every if distance == end)
        for end in (min(every)[0], max(every)[0])
    ]


def _linear(points: Mapping[str, Mapping[str, Points]]) -> Answer:
    """For each controller, in reads and writes; a hop is 10 ns a word."""
    told, holds = [], True
    for kind, by_controller in points.items():
        for name, line in by_controller.items():
            fit = fit_line(line)
            hop_ns = fit.slope * 10**9 / (BYTES / 4)
            holds &= fit.r_squared > 0.99 and abs(hop_ns / HOP_NS - 1) < 0.1
            told.append(f"{kind} {name}: {hop_ns:.2f} ns per hop and word, R² {fit.r_squared:.5f}")
    return Answer(holds, "\n".join(told))


def _short(points: Mapping[str, Mapping[str, Points]]) -> list[list[str]]:
    rows = [["", "nearest", "farthest"]]
    for kind, by_controller in points.items():
        rows.append([kind, *(f"{float(seconds):.4f}" for seconds in _ends(by_controller))])
    return rows


def _table(points: Mapping[str, Mapping[str, Points]]) -> list[list[str]]:
    rows = [["", "hops", "read", "write"]]
    for name, reads in points["read"].items():
        writes = points["write"][name]
        for (distance, read), (_, write) in sorted(zip(reads, writes, strict=True)):
            rows.append([name, str(distance), f"{float(read):.4f}", f"{float(write):.4f}"])
    return rows
