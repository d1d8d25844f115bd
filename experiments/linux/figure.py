"""Pings over hops, streams over the size of a write: packets in message buffers and off-die."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers distinguish.
MEMORIES = {"mpb": ("#009E73", "message buffers"), "dram": ("#D55E00", "off-die")}
PINGS = (16, 1472, 16384)  # bytes


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Two panels."""
    figure.set_size_inches(9, 4)
    pings, streams = figure.subplots(1, 2)
    for memory, (colour, label) in MEMORIES.items():
        by_hops = findings.data["ping"][memory]
        for size in PINGS if by_hops else ():
            curve = [float(one[size]) for one in by_hops.values()]
            pings.plot(list(by_hops), curve, color=colour, marker="o", markersize=3)
        for far, curve in findings.data["stream"][memory].items():
            if far in (0, 8):
                streams.plot(list(curve), [float(rate) for rate in curve.values()], color=colour,
                             linestyle="-" if far == 0 else ":", label=f"{label}, {far} hops",
                             marker="o", markersize=3)  # fmt: skip
    published = known["lpel-mpi-bw"].value * 2**20 / 1e6
    streams.axhline(published, color="#999999", linewidth=0.8)
    pings.set(xlabel="hops", ylabel="us there and back", ylim=(0, None),
              title=f"UDP: {', '.join(map(str, PINGS))} bytes")  # fmt: skip
    streams.set(xscale="log", xlabel="bytes a write", ylabel="MB/s", title="TCP")
    streams.legend(fontsize=8, frameon=False)
    for axes in (pings, streams):
        axes.spines[["top", "right"]].set_visible(False)
