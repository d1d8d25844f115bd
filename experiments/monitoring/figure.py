"""A broadcast by receivers: time and instructions per cycle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers distinguish.
COLOURS = ("#0072B2", "#D55E00", "#009E73")
PUBLISHED_PEAK = 8


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Three panels over the receivers."""
    figure.set_size_inches(12, 3.8)
    panels = (
        ("cycles", "core cycles of a round of all sizes"),
        ("ipc", "instructions per cycle (root)"),
        ("messages", "messages per 1000 instructions"),
    )
    for axes, (key, label), colour in zip(figure.subplots(1, 3), panels, COLOURS, strict=True):
        points = [(n, float(row[key])) for n, row in findings.data["broadcasts"].items()]
        axes.plot(*zip(*points, strict=True), color=colour, marker="o", markersize=3)
        axes.axvline(PUBLISHED_PEAK, color="#666666", linewidth=1, linestyle=":")
        axes.set(xlabel="receivers N", title=label, ylim=(0, None))
        axes.spines[["top", "right"]].set_visible(False)
