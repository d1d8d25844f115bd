"""Round trips and throughput over hops, through the microkernel and under our own kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers distinguish.
KERNELS = {"l4": "#0072B2", "rck": "#D55E00"}
LINES = {"poll": "-", "irq": ":"}
PUBLISHED = "#666666"
FARTHEST = 8


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Two panels."""
    figure.set_size_inches(11, 4)
    trip, rate = figure.subplots(1, 2)
    for notice, line in LINES.items():
        for kernel, colour in KERNELS.items():
            data, label = findings.data[kernel], f"{kernel}, {notice}"
            for axes, curve in (
                (trip, data["round_trip_ns"][f"pull {notice}"]),
                (rate, data["throughput"][f"pull {notice} read"]),
            ):
                points = sorted((int(x), float(y)) for x, y in curve.items())
                axes.plot(*zip(*points, strict=True), line, color=colour, label=label)
        _published(trip, known[f"sct-rtt-{notice}"], line, f"chip, {notice}")
        _published(rate, known[f"sct-thr-{notice}"], line, f"chip, {notice}")
    trip.set(xlabel="hops", ylabel="round trip of 32 bytes (ns)", ylim=(0, None))
    rate.set(xlabel="hops", ylabel="4096-byte packets (MiB/s)", ylim=(0, None))
    for axes in (trip, rate):
        axes.legend(fontsize=7, frameon=False)
        axes.grid(color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)


def _published(axes: Axes, entry: Published, line: str, label: str) -> None:
    axes.plot([0, FARTHEST], entry.value, line, color=PUBLISHED, linewidth=0.8, label=label)
