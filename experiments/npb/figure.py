"""Whole runs of class A on one core, here and on silicon."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = {"here": "#0072B2", "silicon": "#D55E00"}


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Two bars for each program; in the quick form those of here alone, of one iteration."""
    axes = figure.add_subplot()
    ours = findings.values.get("bf-npb-a-one-core") or findings.data["seconds_of_an_iteration"]
    bars = {"here": [float(ours[job]) for job in ours]}
    if findings.values:
        silicon = known["bf-npb-a-one-core"].value
        bars["silicon"] = [float(silicon[job]) for job in ours]
    for index, (name, heights) in enumerate(bars.items()):
        places = [place + 0.35 * index for place in range(len(heights))]
        axes.bar(places, heights, 0.35, color=COLOURS[name], label=name)
    axes.set_xticks([place + 0.175 for place in range(len(ours))], list(ours))
    axes.set_ylabel("s")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title("BT and LU on one core")
