"""Times by size of the data, and speed-ups of products."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers distinguish.
COLOURS = {
    "original": "#D55E00",
    "direct": "#E69F00",
    "remap": "#0072B2",
    "copy4": "#009E73",
    "copy16": "#000000",
}
SPLIT = ("one 512", "two 512")


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """The latency as in the publication, and a product split once and twice."""
    figure.set_size_inches(12, 4)
    latency, *panels = figure.subplots(1, 3)
    for name, colour in COLOURS.items():
        times = findings.data["ns"].get(name, {})
        latency.plot(list(times), [ns / 1e6 for ns in times.values()], color=colour, marker="o",
                     markersize=3, label=name)  # fmt: skip
    latency.set(xscale="log", yscale="log", xlabel="bytes", ylabel="create and sync, ms")
    latency.legend(fontsize=8, frameon=False)
    for axes, split in zip(panels, SPLIT, strict=True):
        for name, colour in COLOURS.items():
            curve = findings.data["speed"].get(split, {}).get(name, {})
            places = sorted(curve)
            axes.plot(places, [float(curve[n]) for n in places], color=colour, marker="o",
                      markersize=3, label=name)  # fmt: skip
        axes.set(xlabel="places", ylabel="speed-up", title=f"split: {split}", ylim=(0, None))
    for axes in figure.axes:
        axes.spines[["top", "right"]].set_visible(False)
