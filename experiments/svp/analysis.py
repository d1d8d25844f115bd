"""Times of a family with data by transport and size, and speed-ups of products of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings, crossing
from rockcreek.repro.runs import Run

TRANSPORTS = ("original", "direct", "remap", "copy4", "copy16")
RINGS = "-rings"  # without TCP/IP under it
MAPPING = TRANSPORTS[2:]
SMALLEST_MAPPED = 256  # of the sizes measured, the first that goes by its address
LARGE = 512 * 1024

Key = tuple[str, int]  # how the product is split, and its size


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    del chip
    times: dict[str, dict[int, int]] = {}  # ns by transport and bytes
    alone: dict[int, int] = {}  # us by size
    products: dict[Key, dict[str, dict[int, int]]] = {}  # us by transport and places
    wrong = []
    for run in runs:
        transport = str(run.values["transport"])
        if run.values["copies"]:
            transport += str(run.values["copies"])
        words = run.text.split()
        if run.job.endswith(RINGS):
            transport += RINGS
        if run.job.startswith("pingpong"):
            times[transport] = {int(a): int(b) for a, b in zip(*[iter(words)] * 2, strict=True)}
            continue
        how, size, us = words[0], int(words[1]), int(words[2])
        if words[3] != "right":
            wrong.append(f"{transport} {how} {size}")
        if how == "alone":
            alone[size] = us
        else:
            curve = products.setdefault((how, size), {}).setdefault(transport, {})
            curve[int(run.values["places"])] = us
    speed = {
        key: {
            name: {places: Fraction(alone[key[1]], us) for places, us in sorted(curve.items())}
            for name, curve in curves.items()
        }
        for key, curves in products.items()
    }
    return Findings(
        values=_values(times, speed),
        trends=_trends(speed),
        checks={
            "all products are right": Answer(
                not wrong, ", ".join(wrong) or f"{len(runs) - len(times)} runs"
            )
        },
        tables={
            "A family with data, there and back (us)": _times(times),
            "Speed-up of products": _speeds(speed),
        },
        data={"ns": times, "speed": {f"{how} {size}": c for (how, size), c in speed.items()}},
    )


def _ratio(times: dict[str, dict[int, int]], slow: str, fast: str, size: int) -> Fraction:
    return Fraction(times[slow][size], times[fast][size])


def _values(times: dict[str, dict[int, int]], speed: dict[Key, Any]) -> dict[str, Any]:
    direct, remap = times["direct"], times["remap"]
    last = max(remap)
    large = [size for size in direct if size >= min(LARGE, last)]
    values: dict[str, Any] = {
        "svp-small-latency": {
            "direct": Fraction(direct[min(direct)], 10**6),
            "remap": Fraction(remap[SMALLEST_MAPPED], 10**6),
        },
        "svp-direct-9x": max(_ratio(times, "original", "direct", size) for size in large),
        "svp-remap-100x": _ratio(times, "original", "remap", last),
        "svp-copy4-3x": _ratio(times, "remap", "copy4", last),
        "svp-copy16-4x": _ratio(times, "remap", "copy16", last),
    }
    mapped = [size for size in sorted(direct) if size >= SMALLEST_MAPPED]
    size = crossing(mapped, remap, direct)
    if size is not None:
        values["svp-crossover"] = size / 1024
    published = {
        "svp-mm256": (("one", 256), "copy4", 8),
        "svp-mm512-direct": (("one", 512), "direct", 8),
        "svp-mm2step-direct": (("two", 1024), "direct", 20),
        "svp-mm2step-copy": (("two", 1024), "copy4", 40),
        "svp-mmdist": (("spread", 1024), "copy4", 40),
    }
    for name, (key, transport, places) in published.items():
        found = speed.get(key, {}).get(transport, {}).get(places)
        if found is not None:
            values[name] = found
    return values


def _told(curves: dict[str, dict[int, Fraction]], *names: str) -> str:
    return "; ".join(
        f"{name}: " + ", ".join(f"{places}: {float(up):.2f}" for places, up in curves[name].items())
        for name in names
        if name in curves
    )


def _trends(speed: dict[Key, dict[str, dict[int, Fraction]]]) -> dict[str, Answer]:
    trends = {}
    small = speed.get(("one", 128))
    if small:
        streams = [max(small[name].values()) for name in ("original", "direct")]
        mapping = [max(small[name].values()) for name in MAPPING]
        trends["svp-mm128"] = Answer(max(streams) <= 1 < min(mapping), _told(small, *TRANSPORTS))
    middle = speed.get(("one", 512))
    if middle:
        trends["svp-mm512-super"] = Answer(middle["copy4"][4] > 4, _told(middle, "copy4", "copy16"))
    large = speed.get(("one", 1024))
    if large:
        most = max(large["remap"])
        clear = large["copy4"][most] > large["remap"][most] * Fraction(11, 10)
        poor = large["original"][most] < large["remap"][most] / 2
        trends["svp-mm1024"] = Answer(clear and poor, _told(large, *TRANSPORTS))
    two = speed.get(("two", 512))
    if two:
        ups = two["original"]
        flat = ups[max(ups)] < ups[min(ups)] * Fraction(11, 10)
        trends["svp-mm2step-original"] = Answer(flat, _told(two, "original"))
    return trends


def _times(times: dict[str, dict[int, int]]) -> list[list[str]]:
    names = [name for name in (*TRANSPORTS, *(t + RINGS for t in TRANSPORTS)) if name in times]
    rows = [["bytes", *names]]
    for size in sorted(times["direct"]):
        rows.append([str(size), *(f"{times[name][size] / 1000:.1f}" for name in names)])
    return rows


def _speeds(speed: dict[Key, dict[str, dict[int, Fraction]]]) -> list[list[str]]:
    names = [name for name in TRANSPORTS if any(name in curves for curves in speed.values())]
    rows = [["split", "size", "places", *names]]
    for (how, size), curves in sorted(speed.items()):
        for places in sorted({places for curve in curves.values() for places in curve}):
            ups = [curves.get(name, {}).get(places) for name in names]
            rows.append(
                [
                    how,
                    str(size),
                    str(places),
                    *("" if u is None else f"{float(u):.2f}" for u in ups),
                ]
            )
    return rows
