"""Run times and speed-ups over the number of cores."""

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
    "lazy": ("#009E73", "lazy release"),
    "strong4": ("#0072B2", "strong, four controllers"),
    "strong1": ("#D55E00", "strong, one controller"),
    "mp": ("#000000", "message passing"),
}


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Two panels."""
    figure.set_size_inches(9, 4)
    time, speed = figure.subplots(1, 2)
    for variant, (colour, label) in CURVES.items():
        for axes, key, scale in ((time, "us", 1000), (speed, "speed", 1)):
            points = [
                (cores, float(value) / scale)
                for cores, value in sorted(findings.data[key][variant].items())
            ]
            axes.plot(*zip(*points, strict=True), color=colour, marker="o", markersize=3,
                      label=label)  # fmt: skip
    counts = sorted(findings.data["us"]["lazy"])
    speed.plot(counts, counts, color="#999999", linewidth=0.8, linestyle="--", label="ideal")
    time.set(xlabel="cores", ylabel="ms", yscale="log")
    speed.set(xlabel="cores", ylabel="speed-up", ylim=(0, None))
    for axes in (time, speed):
        axes.legend(fontsize=8, frameon=False)
        axes.spines[["top", "right"]].set_visible(False)
