"""One way of an interrupt over hops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings, fit_line
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Points and their line."""
    axes = figure.add_subplot()
    points = findings.data["one_way_ns"]
    fit = fit_line(point for point in points if point[0] > 0)
    axes.scatter(*zip(*((x, float(y)) for x, y in points), strict=True), color="#0072B2", s=16)
    ends = [1, max(points)[0]]
    axes.plot(ends, [fit.intercept + fit.slope * x for x in ends], color="#D55E00",
              label=f"{fit.intercept:.0f} ns + {fit.slope:.2f} ns per hop")  # fmt: skip
    axes.set(xlabel="hops", ylabel="ns", ylim=(0, None))
    axes.set_title("Inter-core interrupt: from the write of the pin to the handler")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
