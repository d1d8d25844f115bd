"""One-way times by distance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers distinguish.
COLOURS = {"polled": "#0072B2", "interrupt": "#D55E00"}


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """One panel."""
    figure.set_size_inches(7, 4)
    axes = figure.subplots()
    far = findings.data["hops"]
    for kind, colour in COLOURS.items():
        points = sorted(
            (far[core], float(ns) / 1000) for core, ns in findings.data["ns"][kind].items()
        )
        axes.plot(*zip(*points, strict=True), color=colour, marker="o", markersize=3, label=kind)
    axes.set(xlabel="hops", ylabel="us, one way", ylim=(0, None))
    axes.legend(fontsize=8, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
