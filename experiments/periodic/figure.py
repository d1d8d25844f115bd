"""Shortest, mean and longest way by receiver, at both loads."""

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
    """Draw a panel for each load."""
    panels = figure.subplots(1, 2, sharey=True)
    for axes, (name, data) in zip(panels, findings.data["ways"].items(), strict=True):
        rows = data["by_receiver"]
        for at, (label, colour) in enumerate(
            (("shortest", "#009E73"), ("mean", "#0072B2"), ("longest", "#D55E00"))
        ):
            axes.plot(list(rows), [row[at] for row in rows.values()], color=colour, label=label)
        axes.set_title(name)
        axes.set_xlabel("receiving core")
    panels[0].set_ylabel("one-way time of a message (us)")
    panels[0].set_ylim(0, None)
    panels[0].legend(frameon=False)
