"""Throughput over the number of cores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers distinguish.
PANELS = (
    {"fft": "#000000", "fft-stacks": "#0072B2", "fft-messages": "#D55E00"},
    {"fft": "#000000", "des": "#009E73", "hist": "#0072B2", "filt": "#D55E00"},
)
LABELS = {"fft": "FFT, NDLB", "fft-stacks": "FFT, DLB", "fft-messages": "FFT, MLB"}


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Left: the variants of FFT. Right: the programs' speed-ups, uncached."""
    figure.set_size_inches(9, 4)
    for panel, (axes, curves) in enumerate(zip(figure.subplots(1, 2), PANELS, strict=True)):
        for name, colour in curves.items():
            curve = findings.data["throughput"].get(name, {})
            base = curve[min(curve)] if panel and curve else 1
            axes.plot(list(curve), [speed / base for speed in curve.values()], color=colour,
                      marker="o", markersize=3, label=LABELS.get(name, name.upper()))  # fmt: skip
        if panel:
            axes.plot([2, 40], [1, 39], color="#999999", linewidth=0.8, linestyle="--")
        axes.set(
            xlabel="cores", ylabel="speed-up" if panel else "messages a second", ylim=(0, None)
        )
        axes.legend(fontsize=8, frameon=False)
        axes.spines[["top", "right"]].set_visible(False)
