"""Speed-ups over the number of cores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers distinguish.
PANELS = (
    {"LocalDataAccess": "#000000", "NoFalseSharing": "#0072B2", "FalseSharing": "#D55E00"},
    {
        "LU/C": "#009E73",
        "LU/N": "#0072B2",
        "RADIX": "#D55E00",
        "FFT": "#CC79A7",
        "OCEAN": "#E69F00",
    },
)


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Two panels, as in the publication: small programs and larger ones."""
    figure.set_size_inches(9, 4)
    for axes, curves in zip(figure.subplots(1, 2), PANELS, strict=True):
        for name, colour in curves.items():
            points = findings.data["speed"].get(name, {})
            cores = sorted(points)
            axes.plot(cores, [float(points[n]) for n in cores], color=colour, marker="o",
                      markersize=3, label=name)  # fmt: skip
        top = axes.get_ylim()[1]
        ideal = [1, 48]
        axes.plot(ideal, ideal, color="#999999", linewidth=0.8, linestyle="--", label="ideal")
        axes.set(xlabel="cores", ylabel="speed-up", ylim=(0, top))
        axes.legend(fontsize=8, frameon=False)
        axes.spines[["top", "right"]].set_visible(False)
