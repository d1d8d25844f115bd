"""Time of 4 MB over hops, by controller."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Reads and writes side by side."""
    panels = figure.subplots(1, 2, sharey=True)
    for axes, (kind, by_controller) in zip(panels, findings.data["seconds"].items(), strict=True):
        for (name, points), colour in zip(by_controller.items(), COLOURS, strict=False):
            ordered = [(hops, float(seconds)) for hops, seconds in sorted(points)]
            axes.plot(*zip(*ordered, strict=True), color=colour, marker="o", markersize=3,
                      label=name)  # fmt: skip
        near, far = known[f"pipe-mem-{kind}-range"].value
        axes.axhspan(near, far, color="#eeeeee", label="axis of the published figure")
        axes.set_title(f"{kind} 4 MB, uncached")
        axes.set_xlabel("hops")
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("s")
    panels[0].legend(fontsize=8, frameon=False)
