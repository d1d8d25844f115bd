"""The matrix of messages as a picture: rows send, columns receive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rockcreek.outputs import Output
from rockcreek.plot import style


def save(seen: Mapping[str, Any], to: Output, *, title: str = "", theme: str = "light") -> None:
    """Two heat maps: messages, and bytes; puts and gets beside them if there are any."""
    kinds = [kind for kind in ("messages", "puts", "gets") if seen[kind]] or ["messages"]

    def draw(figure: Any) -> None:
        grid = figure.subplots(len(kinds), 2, squeeze=False)
        for row, kind in zip(grid, kinds, strict=True):
            for axes, what in zip(row, ("messages", "bytes"), strict=True):
                _draw(figure, axes, seen, kind, what)
        if title:
            figure.suptitle(title, fontsize=10)

    style.save(to, (9.6, 4.4 * len(kinds)), theme, draw)


def _draw(figure: Any, axes: Any, seen: Mapping[str, Any], kind: str, what: str) -> None:
    from matplotlib.colors import LogNorm
    from matplotlib.ticker import MaxNLocator

    ues = seen["ues"]
    rows: list[list[float]] = [[float("nan")] * ues for _ in range(ues)]
    for pair in seen[kind]:
        rows[pair["source"]][pair["target"]] = pair[what]
    values = [pair[what] for pair in seen[kind]]
    low, high = min(values, default=1), max(values, default=1)
    norm = LogNorm(low, high) if low > 0 and high > 50 * low else None
    image = axes.imshow(rows, cmap="cividis", norm=norm, interpolation="nearest", origin="upper")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("to UE")
    axes.set_ylabel("from UE")
    axes.set_title(
        what if kind == "messages" else f"{kind}: {what if what == 'bytes' else 'calls'}"
    )
    if values:
        figure.colorbar(image, ax=axes, shrink=0.85)
