"""Throughput of each way, by core."""

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
    """Bars in groups."""
    axes = figure.add_subplot()
    by_core = findings.data["MB_per_s"]
    names = list(next(iter(by_core.values())))
    width = 0.8 / len(by_core)
    for index, ((core, rates), colour) in enumerate(zip(by_core.items(), COLOURS, strict=False)):
        places = [place + index * width for place in range(len(names))]
        axes.bar(places, [float(rates[name]) for name in names], width, color=colour,
                 label=f"core {core}")  # fmt: skip
    axes.set_xticks([place + 0.4 - width / 2 for place in range(len(names))], names, fontsize=8)
    axes.set_ylabel("MB/s")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title("Copying and setting 1 MiB of DRAM behind controller 0")
