"""Throughput over the size of a packet: with the stack, and past it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers distinguish.
CURVES = {
    "mpb": ("#009E73", "in the MPB"),
    "l1": ("#0072B2", "off-die, L1 (MPBT)"),
    "uncached": ("#D55E00", "off-die, uncached"),
}


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Two panels, as figures 4a and 4b."""
    figure.set_size_inches(9, 4)
    panels = figure.subplots(1, 2, sharey=True)
    titles = {"stack": "lwIP", "bypass": "past the stack"}
    for axes, (way, title) in zip(panels, titles.items(), strict=True):
        for buffers, (colour, label) in CURVES.items():
            curve = findings.data["rates"][way, buffers]
            axes.plot(sorted(curve), [float(curve[size]) for size in sorted(curve)],
                      color=colour, marker="o", markersize=3, label=label)  # fmt: skip
        axes.axvline(known["msvm-rcce-peak-size"].value, color="#999999", linewidth=0.8)
        axes.set(xscale="log", xlabel="bytes a packet", title=title)
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set(ylabel="MB/s")
    panels[0].legend(fontsize=8, frameon=False)
