"""What coherence by page faults costs, near and far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = {"": "#0072B2", "tlb": "#D55E00", "tlb apart": "#009E73"}


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """A bar for each cost and each way to keep page tables; the other core is core 1."""
    axes = figure.subplots()
    costs = findings.data["costs"]
    for number, (tables, colour) in enumerate(COLOURS.items()):
        cycles = costs[str((tables, 1))]
        places = [place + number * 0.25 for place in range(len(cycles))]
        label = {"": "shadows kept", "tlb": "emulated TLB"}.get(tables, "the same, apart")
        axes.barh(places, list(cycles.values()), height=0.25, color=colour, label=label)
    axes.set_yticks([place + 0.25 for place in range(len(cycles))], list(cycles))
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlabel("cycles")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8)
