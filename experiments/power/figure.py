"""Power by the number of cores that run Share, and what is published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OURS, PUBLISHED = "#0072B2", "#D55E00"


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """One panel."""
    figure.set_size_inches(6, 3.8)
    axes = figure.subplots()
    points = sorted((n, float(watts)) for n, watts in findings.data["pairs"].items())
    axes.plot(*zip(*points, strict=True), color=OURS, marker="o", markersize=3, label="here")
    published = [known["bu-power-1pair"].value, known["bu-power-24pairs"].value]
    axes.plot([2, 48], published, color=PUBLISHED, marker="s", linestyle="none", label="published")
    axes.set(xlabel="cores that run Share", title="chip power (W)", ylim=(0, None))
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
