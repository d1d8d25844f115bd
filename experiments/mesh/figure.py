"""Table III here and published, flushing by the length of a range, Barnes-Hut's speed-up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#999999"


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Three panels."""
    figure.set_size_inches(11, 4)
    table, flush, bodies = figure.subplots(1, 3)
    ours = findings.values["mesh-table3"]
    published = known["mesh-table3"].value
    places = range(len(ours))
    for shift, values, colour, label in (
        (-0.2, published, GREY, "published estimate"),
        (0.2, ours, BLUE, "here"),
    ):
        table.bar(
            [place + shift for place in places],
            [values[row][1] for row in ours],
            width=0.4,
            color=colour,
            label=label,
        )
    table.set_xticks(list(places), list(ours), rotation=45, ha="right", fontsize=8)
    table.set(ylabel="cycles until it is done")
    ranges = findings.data["ranges"]
    counts = [row[0] for row in ranges]
    flush.plot(counts, [row[1] for row in ranges], color=BLUE, label="clean")
    flush.plot(counts, [row[2] for row in ranges], color=ORANGE, label="dirty")
    flush.set(xlabel="lines of a call", ylabel="cycles a line", xscale="log", ylim=(0, None))
    speed = findings.data["speed"]
    bodies.plot(list(speed), [float(up) for up in speed.values()], color=BLUE, marker="o",
                label="Barnes-Hut")  # fmt: skip
    bodies.set(xlabel="cores", ylabel="speed-up", ylim=(0, None))
    for axes in (table, flush, bodies):
        axes.legend(fontsize=8, frameon=False)
        axes.spines[["top", "right"]].set_visible(False)
