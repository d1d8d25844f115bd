"""Time of a round by distance, and by pairs that run side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = {"share": "#009E73", "shift": "#D55E00", "stencil": "#0072B2"}


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Two panels."""
    figure.set_size_inches(9, 3.6)
    left, right = figure.subplots(1, 2)
    for axes, key in ((left, "distance"), (right, "pairs")):
        for what, by in findings.data[key].items():
            least = float(by[min(by)])
            points = [(n, float(cycles) / least) for n, cycles in sorted(by.items())]
            axes.plot(*zip(*points, strict=True), color=COLOURS[what], marker="o", markersize=3,
                      label=what)  # fmt: skip
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize=8)
    left.set(xlabel="hops between the two cores", title="time of a round, over that of 0 hops")
    right.set(xlabel="pairs side by side", yscale="log", title="and over that of one pair")
