"""The time of a step by workers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Draw both lines."""
    axes = figure.subplots()
    ours = findings.data["ms"]
    published = known["nbody-table5"].value
    axes.plot(list(map(int, published)), list(published.values()), "D--", color="#666666",
              label="chip [marc-2011]")  # fmt: skip
    axes.plot(list(ours), list(ours.values()), "o-", color="#0072B2", label="ours")
    axes.set_xscale("log", base=2)
    axes.set_ylim(0, None)
    axes.set_xlabel("workers")
    axes.set_ylabel("a step of 1024 bodies (ms)")
    axes.legend(frameon=False)
