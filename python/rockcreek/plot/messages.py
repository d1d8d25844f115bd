"""The matrix of messages as a picture: rows send, columns receive."""

from __future__ import annotations

from typing import Any, Literal

from rockcreek.formats.messages import Messages, Pair
from rockcreek.outputs import Output
from rockcreek.plot import style


def save(seen: Messages, to: Output, *, title: str = "", theme: str = "light") -> None:
    """Two heat maps: messages, and bytes; puts and gets beside them if there are any."""
    all_kinds = {"messages": seen["messages"], "puts": seen["puts"], "gets": seen["gets"]}
    kinds = [kind for kind, pairs in all_kinds.items() if pairs] or ["messages"]

    whats: tuple[Literal["messages", "bytes"], ...] = ("messages", "bytes")

    def draw(figure: Any) -> None:
        grid = figure.subplots(len(kinds), 2, squeeze=False)
        for row, kind in zip(grid, kinds, strict=True):
            for axes, what in zip(row, whats, strict=True):
                _draw(figure, axes, all_kinds[kind], seen["ues"], kind, what)
        if title:
            figure.suptitle(title, fontsize=10)

    style.save(to, (9.6, 4.4 * len(kinds)), theme, draw)


def _draw(
    figure: Any,
    axes: Any,
    pairs: list[Pair],
    ues: int,
    kind: str,
    what: Literal["messages", "bytes"],
) -> None:
    from matplotlib.colors import LogNorm
    from matplotlib.ticker import MaxNLocator

    rows: list[list[float]] = [[float("nan")] * ues for _ in range(ues)]
    for pair in pairs:
        rows[pair["source"]][pair["target"]] = pair[what]
    values = [pair[what] for pair in pairs]
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
