"""Messages by their way and size, and calls beside the published ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers distinguish.
COLOURS = {"RCCE": "#0072B2", "TCP": "#D55E00", "UDP": "#009E73"}


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Two panels: figure 4, table III."""
    figure.set_size_inches(9, 3.8)
    messages, calls = figure.subplots(1, 2)
    for axes, what in ((messages, "messages"), (calls, "calls")):
        for way, times in findings.data[what].items():
            axes.plot(list(times), [float(time) for time in times.values()], color=COLOURS[way],
                      marker="o", markersize=3, label=way)  # fmt: skip
    messages.set(xscale="log", yscale="log", xlabel="bytes", ylabel="us", title="message, one way")
    published = known["ruby-table3"].value
    for column, way in enumerate(("TCP", "RCCE")):
        calls.plot([int(size) for size in published], [row[column] for row in published.values()],
                   color=COLOURS[way], marker="s", markersize=3, linestyle=":",
                   label=f"{way}, 2011")  # fmt: skip
    calls.set(xlabel="bytes", ylabel="ms", ylim=(0, None), title="call of an empty method")
    for axes in (messages, calls):
        axes.legend(fontsize=8, frameon=False)
        axes.spines[["top", "right"]].set_visible(False)
