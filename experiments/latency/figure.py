"""Our cycles over the published ones, all cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings, rounded
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers distinguish.
SERIES = {
    "bf-mpb-read": ("MPB read", "#0072B2", "o"),
    "bf-mpb-write-line": ("MPB line write", "#D55E00", "s"),
    "bf-dram-read-word-uc": ("DRAM word read", "#009E73", "^"),
    "bf-dram-write-line-wcb": ("DRAM line write, WCB", "#CC79A7", "v"),
    "bf-dram-write-8words-uc": ("DRAM 8 words, uncached", "#E69F00", "D"),
}


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Cells as points around the line of no error."""
    plain, relative = figure.subplots(1, 2)
    for name, (label, colour, marker) in SERIES.items():
        published = known[name].cells()
        ours = known[name].cells(rounded(findings.values[name]))
        x = list(published.values())
        y = [ours[cell] for cell in published]
        plain.scatter(x, y, color=colour, marker=marker, s=16, label=label)
        errors = [100 * (b / a - 1) for a, b in zip(x, y, strict=True)]
        relative.scatter(x, errors, color=colour, marker=marker, s=16)
    ends = [15, 1200]
    plain.plot(ends, ends, color="#666666", linewidth=0.8)
    plain.set(xscale="log", yscale="log", xlim=ends, ylim=ends)
    plain.set_xlabel("published (core cycles)")
    plain.set_ylabel("virtual chip (core cycles)")
    plain.legend(fontsize=8, frameon=False)
    relative.axhspan(-5, 5, color="#eeeeee")
    relative.axhline(0, color="#666666", linewidth=0.8)
    relative.set(xscale="log")
    relative.set_xlabel("published (core cycles)")
    relative.set_ylabel("error (%)")
    for axes in (plain, relative):
        axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle("Latencies of single accesses, core 0, ring 0")
