"""Speed-up over the time that one core needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers distinguish.
SOLVED, BOUND, EQUAL = "#0072B2", "#D55E00", "#999999"


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """A point for each problem, as in the publication."""
    figure.set_size_inches(6, 4)
    axes = figure.subplots()
    cores = findings.data["cores"]
    for solved, colour, label in (
        (True, SOLVED, "both have a plan"),
        (False, BOUND, "a limit stands for one"),
    ):
        points = [
            (1000 * float(Fraction(time)), float(Fraction(speed)))
            for time, speed, both in findings.data["speed"]
            if both == solved
        ]
        axes.scatter(*zip(*points, strict=True) if points else ([], []), color=colour, s=14,
                     label=label)  # fmt: skip
    for level in (1, cores):
        axes.axhline(level, color=EQUAL, linewidth=0.8, linestyle="--")
    axes.set(xscale="log", yscale="log", xlabel="one core, ms", ylabel=f"speed-up of {cores} cores")
    axes.legend(fontsize=8, frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
