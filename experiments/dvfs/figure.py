"""Efficiency of each kernel over dividers."""

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
    """Efficiency in parts of the best, and the model's error."""
    figure.set_size_inches(10, 3.8)
    left, right = figure.subplots(1, 2)
    for (name, values), colour in zip(findings.data["efficiency"].items(), COLOURS, strict=True):
        best = max(values.values())
        left.plot(list(values), [v / best for v in values.values()], color=colour, label=name)
        errors = findings.data["errors"][name]
        right.plot(list(errors), [100 * error for error in errors.values()], color=colour)
    left.set(xlabel="divider", title="efficiency (best = 1)", ylim=(0, None))
    right.set(xlabel="divider", title="error of the fitted model (%)")
    left.legend(fontsize=8, frameon=False)
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
