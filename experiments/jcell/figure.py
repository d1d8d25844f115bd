"""Hits by the size of the cache, and messages by the depth of update propagation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = {"AVL": "#D55E00", "RB": "#0072B2"}


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Draw both panels."""
    hits, costs = figure.subplots(1, 2)
    rows = findings.tables["Accesses by cache"][1:]
    for tree, colour in COLOURS.items():
        mine = sorted((int(row[1]), float(row[2]), float(row[3])) for row in rows if row[0] == tree)
        sizes = [size for size, _, _ in mine]
        hits.plot(sizes, [good for _, good, _ in mine], color=colour, label=f"{tree}, good")
        hits.plot(sizes, [bad for _, _, bad in mine], "--", color=colour, label=f"{tree}, bad")
        for name, marker in (("jcell-good", "o"), ("jcell-bad", "s")):
            published = known[name].value[tree]
            hits.plot([50, 450], published, marker, color=colour, markerfacecolor="none")
        for key, messages in findings.data["messages"].items():
            if key.startswith(f"{tree},"):
                depths = range(1, len(messages) + 1)
                costs.plot(depths, [count / 1e6 for count in messages], color=colour)
    hits.set_xlabel("cache (objects); marks: published")
    hits.set_ylabel("accesses (%)")
    hits.legend(frameon=False)
    costs.set_xlabel("depth of update propagation")
    costs.set_ylabel("messages (millions)")
    figure.suptitle("Versions in caches, and messages to find heads")
