"""MPI_Sendrecv over the size, with few ranks and with all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers distinguish.
CURVES = {"original": "#D55E00", "improved": "#0072B2", "bells": "#009E73"}


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """One panel, as the paper's figure 6."""
    points = [
        (int(ranks), int(size), item)
        for (operation, ranks, size), item in (
            (key.split(), item) for key, item in findings.data["us"].items()
        )
        if operation == "sendrecv"
    ]
    axes = figure.subplots()
    counts = sorted({ranks for ranks, _, _ in points})
    for ranks, style in ((counts[0], ":"), (counts[-1], "-")):
        for channel, colour in CURVES.items():
            curve = sorted((size, item[channel]) for n, size, item in points if n == ranks)
            axes.plot(*zip(*curve, strict=True), style, color=colour, marker="o", markersize=3,
                      label=f"{channel}, {ranks} ranks")  # fmt: skip
    axes.set(xlabel="bytes", ylabel="us", xscale="log", yscale="log")
    axes.legend(fontsize=8, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
