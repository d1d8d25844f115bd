"""Round trips, throughput by distance and by size, and what the anomaly of the stack needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from rockcreek.description import Description
from rockcreek.repro.findings import (
    Answer,
    Findings,
    cost_per_round,
    fit_line,
    hops,
    mean,
    mean_by,
)
from rockcreek.repro.runs import Run

MIB = 2**20
# The first core of a row, and cores of the first row that are as far from core 0.
JUMPS = {12: (2, 3), 24: (4, 5), 36: (6, 7)}
Curve = dict[int, Fraction]  # by distance or by size


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    period = chip.core_period_ps
    pairs = [run for run in runs if run.job == "pairs"]
    trips, rates, entries = _pairs(pairs, chip, period)
    sizes = {
        (run.values["other"], run.values["way"]): _by_size(run.text, period)
        for run in runs
        if run.job == "sizes"
    }
    stack = {
        _variant(run.values["sink"]): _by_size(run.text, period)
        for run in runs
        if run.job == "stack"
    }
    cores = {run.values["other"]: run for run in pairs}
    values = _values(trips, rates, entries)
    return Findings(
        values=values,
        trends={
            **_distance_trends(trips, rates),
            "sct-thr-rowjump": _row_jump(cores, period),
            **_size_trends(sizes),
            **_stack_trends(stack),
        },
        checks={
            **_demands(values, trips["pull poll"]),
            "descending, the peak is where the stack of the calls before ends": _peak_is_depth(
                stack
            ),
        },
        tables={
            "Round trips (ns) and throughput (MiB/s) by distance": _table(trips, rates),
            "Round trips of 32 bytes: what a round costs each core": cost_per_round(
                [run for run in runs if run.job == "cost-rtt"], "rounds"
            ),
            "4096 bytes: what a packet costs each core": cost_per_round(
                [run for run in runs if run.job == "cost-thr"], "rounds"
            ),
        },
        data={
            "round_trip_ns": trips,
            "throughput": rates,
            "by_size": {f"{core} {way}": curve for (core, way), curve in sizes.items()},
            "stack": stack,
        },
    )


def _pairs(
    pairs: Sequence[Run], chip: Description, period: int
) -> tuple[dict[str, Curve], dict[str, Curve], list[Fraction]]:
    """Means by distance: of round trips (ns), of throughput (MiB/s); kernel paths (ns)."""
    trips: dict[str, list[tuple[int, Fraction]]] = {}
    rates: dict[str, list[tuple[int, Fraction]]] = {}
    entries = []
    for run in pairs:
        distance = hops(chip.tile_of(0), chip.tile_of(run.values["other"]))
        for line in run.text.splitlines():
            name, *numbers = line.split()
            kind, place, notice, *rest = name.split(":")
            values = list(map(int, numbers))
            if kind == "rtt":
                trip = Fraction(values[1] * period, values[0] * 1000)
                trips.setdefault(f"{place} {notice}", []).append((distance, trip))
                if notice == "irq":
                    entries.append(Fraction(values[4] * period, 1000))
            else:
                rate = _rate(values, period)
                rates.setdefault(f"{place} {notice} {rest[0]}", []).append((distance, rate))
    by_hops = [{name: mean_by(points) for name, points in all_.items()} for all_ in (trips, rates)]
    return by_hops[0], by_hops[1], entries


def _rate(values: Sequence[int], period: int) -> Fraction:
    """MiB/s of `size packets payload cycles`."""
    _, packets, payload, cycles = values
    return Fraction(packets * payload * 10**12, cycles * period * MIB)


def _by_size(text: str, period: int) -> Curve:
    lines = [list(map(int, line.split()[1:])) for line in text.splitlines()]
    return {values[0]: _rate(values, period) for values in lines}


def _variant(sink: str) -> str:
    """A measurement's name, as `stack down 1024`: order of sizes, bytes of stack used."""
    where, _, sizes = sink.split(":")
    name, _, depth = where.partition("@")
    order = "up" if sizes.startswith("32") else "down"
    order = "flushed" if sizes.startswith("flush") else order
    return f"{name} {order} {depth}".rstrip()


def _ends(curve: Curve) -> list[Fraction]:
    """At the nearest and at the farthest core."""
    return [curve[min(curve)], curve[max(curve)]]


def _values(
    trips: Mapping[str, Curve], rates: Mapping[str, Curve], entries: Sequence[Fraction]
) -> dict[str, Any]:
    poll, irq = trips["pull poll"], trips["pull irq"]
    rate_poll, rate_irq = _ends(rates["pull poll read"]), _ends(rates["pull irq read"])
    return {
        "sct-rtt-poll": _ends(poll),
        "sct-rtt-irq": _ends(irq),
        "sct-rtt-slope": fit_line(poll.items()).slope,
        "sct-rtt-gap": mean(irq[distance] - poll[distance] for distance in poll),
        "sct-irq-entry": mean(entries),
        "sct-thr-poll": rate_poll,
        "sct-thr-irq": rate_irq,
        "sct-thr-drop": {
            "polling": rate_poll[0] - rate_poll[1],
            "interrupt": rate_irq[0] - rate_irq[1],
        },
    }


def _distance_trends(trips: Mapping[str, Curve], rates: Mapping[str, Curve]) -> dict[str, Answer]:
    slopes = {name: fit_line(curve.items()).slope for name, curve in trips.items()}
    apart = [
        abs(rates["push poll allocate"][distance] / rate - 1)
        for distance, rate in rates["pull poll allocate"].items()
    ]
    drops = {}
    for notice in ("poll", "irq"):
        near, far = _ends(rates[f"pull {notice} allocate"])
        drops[notice] = near - far
    lower = all(
        rates["pull irq allocate"][distance] < rate
        for distance, rate in rates["pull poll allocate"].items()
    )
    read, copied = rates["pull poll read"], rates["pull poll allocate"]
    return {
        "sct-rtt-slope-irq": Answer(
            slopes["pull irq"] > slopes["pull poll"],
            ", ".join(f"{name} {slope:.2f} ns per hop" for name, slope in slopes.items()),
        ),
        "sct-maow-copy": Answer(
            max(apart) < Fraction(3, 100) and lower and drops["irq"] < drops["poll"],
            f"push and pull differ by at most {float(max(apart)):.2%}; from near to far polling "
            f"loses {float(drops['poll']):.2f} MiB/s, interrupts {float(drops['irq']):.2f}",
        ),
        "sct-copy-lower": Answer(
            all(copied[distance] < read[distance] for distance in read),
            f"nearest: {float(_ends(copied)[0]):.1f} against {float(_ends(read)[0]):.1f} MiB/s",
        ),
    }


def _row_jump(cores: Mapping[int, Run], period: int) -> Answer:
    """The first core of each row is as near as some cores of the first row."""

    def rate(core: int) -> Fraction:
        for line in cores[core].text.splitlines():
            name, *numbers = line.split()
            if name.startswith("thr:pull:poll:read"):
                return _rate(list(map(int, numbers)), period)
        raise ValueError(f"no throughput of core {core}")

    holds, told = True, []
    for first, (one, other) in JUMPS.items():
        if first not in cores:
            continue
        near, before, jump = mean([rate(one), rate(other)]), rate(first - 1), rate(first)
        holds &= abs(jump / near - 1) < Fraction(1, 100) and jump > before
        told.append(
            f"core {first - 1} {float(before):.1f}, core {first} {float(jump):.1f}, "
            f"cores {one} and {other} {float(near):.1f} MiB/s"
        )
    return Answer(holds, "\n".join(told))


def _rises(curve: Curve) -> bool:
    """With each doubling of the size."""
    sizes = [size for size in sorted(curve) if size & (size - 1) == 0]
    return all(curve[a] < curve[b] for a, b in pairwise(sizes))


def _size_trends(sizes: Mapping[tuple[int, str], Curve]) -> dict[str, Answer]:
    cores = sorted({core for core, _ in sizes})
    flat, told, holds = [], [], True
    for core in cores:
        poll, irq = sizes[core, "pull:poll:read"], sizes[core, "pull:irq:read"]
        shares = [float(curve[1024] / curve[4096]) for curve in (poll, irq)]
        gaps = [float(1 - irq[size] / poll[size]) for size in (256, 4096)]
        holds &= _rises(poll) and _rises(irq) and shares[0] > shares[1] and gaps[1] < gaps[0]
        flat.append(f"core {core}: 1024 bytes reach {shares[0]:.0%} and {shares[1]:.0%}")
        told.append(f"interrupts lose {gaps[0]:.0%} at 256 and {gaps[1]:.0%} at 4096 bytes")
    apart = Fraction()
    for core in cores:
        pull, push = sizes[core, "pull:poll:allocate"], sizes[core, "push:poll:allocate"]
        apart = max(apart, *(abs(push[size] / pull[size] - 1) for size in pull if size >= 512))
    plain, allocating = (
        sizes[cores[0], f"pull:poll:{sink}"][4096] for sink in ("plain", "allocate")
    )
    return {
        "sct-thr-vs-size": Answer(holds, "; ".join([*flat, *told])),
        "sct-pushpull-size": Answer(
            apart < Fraction(5, 100),
            f"from 512 bytes on they differ by at most {float(apart):.2%}",
        ),
        "fiasco-aow": Answer(
            allocating > Fraction(7, 5) * plain,
            f"{float(plain):.1f} MiB/s plain, {float(allocating):.1f} with a read first",
        ),
    }


def _peak(curve: Curve) -> int:
    """The size with the highest throughput."""
    return max(curve, key=lambda size: curve[size])


def _stack_trends(stack: Mapping[str, Curve]) -> dict[str, Answer]:
    told = ", ".join(f"{name}: most at {_peak(curve)} bytes" for name, curve in stack.items())
    flushed, up, down = (stack[f"stack {name}"] for name in ("flushed", "up 1024", "down 1024"))
    return {
        "sct-stack-peak": Answer(
            _peak(down) == 1024 and _rises(up) and _rises(stack["static down"]), told
        ),
        "sct-memcpy-flush": Answer(
            _rises(flushed) and all(rate < down[size] for size, rate in flushed.items()),
            f"flushed, the most is at {_peak(flushed)} bytes; "
            f"4096 bytes {float(flushed[4096]):.1f} MiB/s, ascending {float(up[4096]):.1f}",
        ),
    }


def _peak_is_depth(stack: Mapping[str, Curve]) -> Answer:
    depths = {
        int(name.rsplit(" ", 1)[1]): _peak(curve)
        for name, curve in stack.items()
        if name.startswith("stack down ")
    }
    return Answer(
        all(depth == peak for depth, peak in depths.items()),
        ", ".join(f"{depth} bytes: peak at {peak}" for depth, peak in sorted(depths.items())),
    )


def _demands(values: Mapping[str, Any], trips: Curve) -> dict[str, Answer]:
    # A packet to the own tile turns in the own router: it is as far as a neighbour, no hop less.
    slope = fit_line(point for point in trips.items() if point[0] > 0).slope
    near, far = values["sct-thr-poll"]
    ratio = float(far / near)
    shares = []
    for name, published in (("sct-rtt-poll", (1698, 1955)), ("sct-thr-poll", (97.6, 79.7))):
        shares += [float(a) / b for a, b in zip(values[name], published, strict=True)]
    return {
        "pull rises by 28 to 38 ns per hop": Answer(
            28 <= slope <= 38,
            f"{slope:.2f} ns per hop between tiles; {values['sct-rtt-slope']:.2f} with the pair "
            "on one tile, which is as far as neighbours",
        ),
        "round trip and throughput, polling, are 0.45 to 1.1 of the published": Answer(
            all(0.45 <= share <= 1.1 for share in shares),
            ", ".join(f"{share:.2f}" for share in shares),
        ),
        "throughput at the farthest core is 0.817 of the nearest, within 5 %": Answer(
            abs(ratio / 0.817 - 1) <= 0.05, f"{ratio:.3f}"
        ),
    }


def _table(trips: Mapping[str, Curve], rates: Mapping[str, Curve]) -> list[list[str]]:
    rows = [["hops", *trips, *rates]]
    for distance in trips["pull poll"]:
        numbers = [curve[distance] for curve in (*trips.values(), *rates.values())]
        rows.append([str(distance), *(f"{float(number):.1f}" for number in numbers)])
    return rows
