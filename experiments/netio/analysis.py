"""Throughput of TCP and of the bypass by the size of packets, for each kind of receive buffer."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings
from rockcreek.repro.runs import Run

WAYS = ("stack", "bypass")
BUFFERS = ("mpb", "l1", "uncached")
SMALL = 256  # bytes, below which the paper's stack is the faster one

Curve = dict[int, Fraction]  # MB/s by the size of a packet


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    rates: dict[tuple[str, str], Curve] = {}
    records: dict[tuple[str, str], Curve] = {}
    for run in runs:
        lines = [line.split() for line in run.text.splitlines()]
        (timed,) = (line for line in lines if line[-1] == "ns")
        (counted,) = (line for line in lines if line[1] == "records")
        key, size, packets = (timed[0], timed[1]), int(timed[2]), int(timed[3])
        rates.setdefault(key, {})[size] = Fraction(size * packets * 1000, int(timed[4]))
        # A quarter as many packets went before.
        records.setdefault(key, {})[size] = Fraction(int(counted[0]), packets + packets // 4)
    sizes = sorted(rates["stack", "mpb"])
    return Findings(
        values={"msvm-rcce-peak-size": _peak(rates["bypass", "mpb"])},
        trends=_trends(rates, sizes),
        checks={
            "with the stack, buffers in L1 as MPBT memory beat words read at every size": _beats(
                rates, "stack", "l1", "uncached", sizes
            ),
            "past the stack they do from two lines on": _beats(
                rates, "bypass", "l1", "uncached", [size for size in sizes if size >= 64]
            ),
            "with the stack, buffers in the MPB beat those off-die from 4 bytes on": _beats(
                rates, "stack", "mpb", "l1", [size for size in sizes if size >= 4]
            ),
        },
        tables={
            "Throughput, MB/s": _table(rates, sizes, lambda rate: f"{float(rate):.2f}"),
            "Records a packet": _table(records, sizes, lambda count: f"{float(count):.2f}"),
        },
        data={"rates": rates},
    )


def _peak(curve: Curve) -> int:
    return max(curve, key=lambda size: curve[size])


def _trends(rates: dict[tuple[str, str], Curve], sizes: list[int]) -> dict[str, Answer]:
    peaks = {key: (_peak(curve), max(curve.values())) for key, curve in rates.items()}
    told = "; ".join(
        f"{buffers}: stack {float(peaks['stack', buffers][1]):.1f} MB/s at "
        f"{peaks['stack', buffers][0]} B, bypass {float(peaks['bypass', buffers][1]):.1f} MB/s at "
        f"{peaks['bypass', buffers][0]} B"
        for buffers in BUFFERS
    )
    small = [size for size in sizes if size < SMALL]
    stack, bypass = rates["stack", "mpb"], rates["bypass", "mpb"]
    return {
        "msvm-bypass-peak": Answer(
            all(peaks["bypass", name][1] > peaks["stack", name][1] for name in BUFFERS), told
        ),
        "msvm-bypass-nagle": Answer(
            all(stack[size] > bypass[size] for size in small)
            and all(bypass[size] > stack[size] for size in sizes if size == SMALL),
            "MPB, stack over bypass: "
            + ", ".join(f"{size} B: {float(stack[size] / bypass[size]):.2f}" for size in sizes),
        ),
    }


def _beats(
    rates: dict[tuple[str, str], Curve], way: str, better: str, worse: str, sizes: list[int]
) -> Answer:
    gains = {size: rates[way, better][size] / rates[way, worse][size] for size in sizes}
    return Answer(
        all(gain > 1 for gain in gains.values()),
        ", ".join(f"{size} B: {float(gain):.2f}" for size, gain in gains.items()),
    )


def _table(curves, sizes, tell) -> list[list[str]]:  # type: ignore[no-untyped-def]
    keys = [(way, buffers) for way in WAYS for buffers in BUFFERS]
    rows = [["bytes", *(f"{way}, {buffers}" for way, buffers in keys)]]
    for size in sizes:
        rows.append([str(size), *(tell(curves[key][size]) for key in keys)])
    return rows
