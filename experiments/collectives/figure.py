"""Broadcast by bytes, and by members."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers distinguish.
COLOURS = {"rcce": "#0072B2", "binomial": "#E69F00", "allgather": "#009E73", "ours": "#D55E00"}


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Two panels, both axes logarithmic."""
    figure.set_size_inches(10, 4.2)
    by_size, by_members = figure.subplots(1, 2)
    times = {int(n): found for n, found in findings.data["us"].items()}
    whole = times[max(times)]
    for way, colour in COLOURS.items():
        keys = [key.split() for key in whole if key.startswith(f"bcast {way} ")]
        points = sorted((int(size), float(whole[f"bcast {way} {size}"])) for _, _, size in keys)
        by_size.plot(*zip(*points, strict=True), color=colour, marker="o", markersize=3, label=way)
        points = sorted((n, float(found[f"bcast {way} 1024"])) for n, found in times.items())
        by_members.plot(*zip(*points, strict=True), color=colour, marker="o", markersize=3)
    by_size.set(xlabel="bytes", ylabel="us", title=f"broadcast on {max(times)} cores")
    by_members.set(xlabel="members", title="broadcast of 1 KB")
    by_size.legend(fontsize=8, frameon=False)
    for axes in (by_size, by_members):
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.spines[["top", "right"]].set_visible(False)
