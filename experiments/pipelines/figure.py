"""The time of each pipeline over the data, beside the published table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73")


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Trivial order; circles: published."""
    axes = figure.subplots()
    published = known["pipe-table1"].value
    for (name, rows), colour in zip(findings.data.get("table", {}).items(), COLOURS, strict=False):
        sizes = [int(size) for size in rows]
        axes.plot(sizes, [float(row[0]) for row in rows.values()], color=colour,
                  label=name.replace("_", " "))  # fmt: skip
        axes.plot(sizes, [published[name][str(size)][0] for size in sizes], "o", color=colour)
    axes.set(xlabel="MB in chunks of 256 KB", ylabel="s", yscale="log")
    axes.set_title("48 stages (circles: published)")
    axes.spines[["top", "right"]].set_visible(False)
    if findings.data.get("table"):
        axes.legend(fontsize=8, frameon=False)
