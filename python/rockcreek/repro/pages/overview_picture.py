"""The overview's picture: all measured cells, published against ours, a colour for each study."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rockcreek.formats.study import Cell
from rockcreek.outputs import make_folder, write_whole
from rockcreek.repro.comparison import MET
from rockcreek.repro.reproduce import png
from rockcreek.repro.standing import Standing

# A missed cell that is off by more than this factor is named.
NAMED_FROM = 3.0
_NAMED_MAX = 24
_MARKERS = "os^vDP"
_SIZE_INCHES = (10, 8.5)


def draw_overview(here: Standing, path: Path) -> bool:
    """The picture, if matplotlib is there (the extra `plot`)."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=_SIZE_INCHES, facecolor="white", layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    everything = [cell for cells in here.cells.values() for cell in cells]
    low, high = _range(everything)
    axes.set(
        xscale="log", yscale="log", xlim=(low, high), ylim=(low, high),
        xlabel="published (in the unit of each entry)", ylabel="ours",
    )  # fmt: skip
    axes.plot([low, high], [low, high], color="black", linewidth=0.8, zorder=1)
    axes.fill_between(
        [low, high], [low / NAMED_FROM, high / NAMED_FROM], [low * NAMED_FROM, high * NAMED_FROM],
        color="0.93", zorder=0, label=f"within a factor of {NAMED_FROM:g}",
    )  # fmt: skip
    _points(axes, here, low)
    _names(axes, here.scored_cells, low)
    axes.legend(loc="upper left", fontsize=7, ncols=2, frameon=False)
    make_folder(path.parent)
    write_whole(path, png(figure), force=True)
    return True


def _range(cells: Sequence[Cell]) -> tuple[float, float]:
    """Powers of ten around all numbers that can stand on a logarithmic axis."""
    numbers = [
        value
        for cell in cells
        for value in (cell["published"], cell["ours"])
        if value and value > 0
    ]
    if not numbers:
        return 0.1, 10.0
    return 10.0 ** (math.floor(math.log10(min(numbers))) - 1), 10.0 ** (
        math.ceil(math.log10(max(numbers))) + 1
    )


def _height(cell: Cell, low: float) -> float:
    """Where a cell is drawn: numbers that are not positive lie at the lower edge."""
    return cell["ours"] if cell["ours"] and cell["ours"] > 0 else low * 1.3


def _points(axes: Any, here: Standing, low: float) -> None:
    """The cells of each study; those that do not count are hollow."""
    scored = {(cell["id"], cell["cell"]) for cell in here.scored_cells}
    studies = [name for name, cells in here.cells.items() if cells]
    for index, name in enumerate(studies):
        style = {"marker": _MARKERS[index % len(_MARKERS)], "s": 18, "linewidths": 0.7}
        colour = f"C{index % 10}"
        for counts in (True, False):
            cells = [
                cell for cell in here.cells[name]
                if cell["error"] is not None
                and (cell["counts"] and (cell["id"], cell["cell"]) in scored) == counts
            ]  # fmt: skip
            axes.scatter(
                [cell["published"] for cell in cells],
                [_height(cell, low) for cell in cells],
                facecolors=colour if counts else "none", edgecolors=colour,
                label=name if counts else None, zorder=2 if counts else 1.5, **style,
            )  # fmt: skip


def _names(axes: Any, cells: Sequence[Cell], low: float) -> None:
    """The entries of the missed cells that are farthest off, each once, at its worst cell."""
    worst: dict[str, tuple[float, Cell]] = {}
    for cell in cells:
        if cell["verdict"] == MET or cell["published"] <= 0:
            continue
        off = math.log(_height(cell, low) / cell["published"])
        if abs(off) > max(math.log(NAMED_FROM), abs(worst.get(cell["id"], (0.0, cell))[0])):
            worst[cell["id"]] = (off, cell)
    farthest = sorted(worst.values(), key=lambda item: abs(item[0]), reverse=True)[:_NAMED_MAX]
    for off, cell in farthest:
        above = off > 0 or (cell["ours"] or 0) <= 0
        axes.annotate(
            cell["id"], (cell["published"], _height(cell, low)), fontsize=7,
            textcoords="offset points",
            xytext=(-3, 3) if above else (3, -3), rotation=-30, rotation_mode="anchor",
            ha="right" if above else "left", va="bottom" if above else "top",
        )  # fmt: skip
