"""The time of each phase beside the published total."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Draw one bar of phases and one of the publication."""
    axes = figure.subplots()
    axes.bar(["chip [marc-2011]"], [known["sicsa-table3"].value["1 core"]], color="#666666")
    below = 0.0
    for (phase, seconds), color in zip(
        findings.data["seconds"].items(), ("#E69F00", "#0072B2", "#56B4E9"), strict=True
    ):
        axes.bar(["ours"], [float(seconds)], bottom=below, color=color, label=phase)
        below += float(seconds)
    axes.set_ylabel("concordance on one core (s)")
    axes.legend(frameon=False)
