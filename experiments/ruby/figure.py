"""Benchmarks against 2011, messages and calls by their size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers distinguish.
COLOURS = {"poll": "#0072B2", "bell": "#D55E00"}
OLD = "#999999"


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Three panels: table II, figure 4 as far as it is RCCE's, table III."""
    figure.set_size_inches(11, 3.8)
    benchmarks, messages, calls = figure.subplots(1, 3)
    ours = findings.values["ruby-table2"]
    names = sorted(ours)
    benchmarks.barh(names, [known["ruby-table2"].value[name] for name in names], color=OLD,
                    label="2011")  # fmt: skip
    benchmarks.barh(names, [float(ours[name]) for name in names], color=COLOURS["poll"],
                    height=0.4, label="here")  # fmt: skip
    benchmarks.set(xscale="log", xlabel="s", title="benchmarks on one core")
    for axes, what in ((messages, "raw"), (calls, "calls")):
        for way, colour in COLOURS.items():
            times = {
                size: float(us)
                for (how, last, size), us in findings.data[what].items()
                if (how, last) == (way, 1)
            }
            axes.plot(sorted(times), [times[size] for size in sorted(times)], color=colour,
                      marker="o", markersize=3, label=way)  # fmt: skip
    messages.set(xscale="log", yscale="log", xlabel="bytes", ylabel="us", title="message, one way")
    published = known["ruby-table3"].value
    calls.plot([int(size) for size in published], [1000 * rcce for _, rcce in published.values()],
               color=OLD, marker="s", markersize=3, label="2011")  # fmt: skip
    calls.set(xlabel="bytes", ylabel="us", ylim=(0, None), title="call of an empty method")
    for axes in (benchmarks, messages, calls):
        axes.legend(fontsize=8, frameon=False)
        axes.spines[["top", "right"]].set_visible(False)
