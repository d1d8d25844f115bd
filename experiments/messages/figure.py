"""Throughput by size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers distinguish.
COLOURS = {"rcce": "#0072B2", "ircce": "#D55E00", "pipelined": "#009E73"}


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Messages there and back, packages one way; near pairs as full lines, far ones broken."""
    figure.set_size_inches(8, 4.2)
    axes = figure.subplots()
    near = min(int(name.split()[1]) for name in findings.data["ns"])
    for name, curve in findings.data["ns"].items():
        way, core = name.split()
        points = [(size, float(1000 * size / ns)) for size, ns in curve.items()]
        style = "-" if int(core) == near else ":"
        label = f"{way}, 0 and {core}"
        axes.plot(*zip(*points, strict=True), color=COLOURS[way], linestyle=style, label=label)
    for core, curve in findings.data["packages"].items():
        points = [(size, float(1000 * size / ns)) for size, ns in curve.items()]
        style = "-" if int(core) == near else ":"
        label = f"packages, 0 to {core}"
        axes.plot(*zip(*points, strict=True), color="#000000", linestyle=style, label=label)
    axes.axvline(known["msvm-rcce-peak-size"].value, color="#666666", linewidth=1)
    axes.set_xscale("log", base=2)
    axes.set(xlabel="bytes (line: published size of the peak)", ylabel="MB/s", ylim=(0, None))
    axes.legend(fontsize=7, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
