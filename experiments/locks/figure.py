"""Latency over hops, contention and barriers over the number of cores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TAKING, RELEASING = "#0072B2", "#D55E00"
LABELS = {
    "spin": "spinning",
    "backoff": "exponential back-off",
    "tas": "test-and-set registers",
    "rcce": "RCCE_barrier",
}


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Three panels."""
    figure.set_size_inches(11, 3.8)
    latency, contention, barrier = figure.subplots(1, 3)
    for name, colour in (("taking", TAKING), ("releasing", RELEASING)):
        points = [(hops, float(ns)) for hops, ns in findings.data[f"{name}_ns"]]
        latency.scatter(*zip(*points, strict=True), s=10, color=colour, label=name)
    latency.set(xlabel="hops", ylabel="ns", title="one register, uncontended", ylim=(0, None))
    panels = ((contention, ("spin", "backoff")), (barrier, ("tas", "rcce")))
    for axes, ways in panels:
        for way, colour in zip(ways, (TAKING, RELEASING), strict=True):
            curve = sorted(findings.data["ns"][way].items())
            points = [(cores, float(ns) / 1000) for cores, ns in curve]
            axes.plot(*zip(*points, strict=True), color=colour, marker="o", markersize=3,
                      label=LABELS[way])  # fmt: skip
        axes.set(xlabel="cores", ylabel="us", ylim=(0, None))
    contention.set_title("mean time to take a register")
    barrier.set_title("mean time of a barrier")
    for axes in (latency, contention, barrier):
        axes.legend(fontsize=8, frameon=False)
        axes.spines[["top", "right"]].set_visible(False)
