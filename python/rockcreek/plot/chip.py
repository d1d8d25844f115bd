"""The die as a picture: tiles, cores, routers, links, memory controllers, system interface.

North is up, as in Intel's floor plan; a value per tile may colour the tiles.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rockcreek.description import Description, EdgeUnit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rockcreek.outputs import Output

_TILE = 0.74
_TILE_FACE = "#eef2f7"
_TILE_EDGE = "#40566e"
_CORE_FACE = "#cfdcea"
_LINK = "#8a99ab"
# Texts stand on light boxes, whatever is around the chip.
_TEXT = "#1b1b1f"
_UNIT_FACE = {"MC": "#f3dfb8", "SIF": "#cfe8d5", "VRC": "#ead4e6"}
_STEP = {"west": (-1, 0), "east": (1, 0), "north": (0, 1), "south": (0, -1)}


def draw(
    axes: Axes,
    description: Description,
    *,
    values: Mapping[tuple[int, int], float] | None = None,
    colours: Any = "viridis",
    text: Mapping[tuple[int, int], str] | None = None,
) -> Any:
    """Draw the chip; with `values` tiles are coloured (returns the mappable for a colour bar)."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    mappable = None
    low, high = (min(values.values()), max(values.values())) if values else (0.0, 1.0)
    if values:
        mappable = ScalarMappable(Normalize(low, high), colours)
    _draw_links(axes, description)
    for y in range(description.rows):
        for x in range(description.columns):
            face: Any = _TILE_FACE
            if mappable is not None and values is not None and (x, y) in values:
                face = mappable.cmap((values[x, y] - low) / ((high - low) or 1))
            label = text.get((x, y)) if text else None
            _draw_tile(axes, description, x, y, face, label)
    for unit in description.edge:
        _draw_unit(axes, description, unit)
    axes.set_xlim(-1.55, description.columns + 0.55)
    axes.set_ylim(-1.35, description.rows - 0.35)
    axes.set_aspect("equal")
    axes.axis("off")
    return mappable


def _draw_links(axes: Axes, description: Description) -> None:
    for y in range(description.rows):
        axes.plot([0, description.columns - 1], [y, y], color=_LINK, linewidth=2, zorder=1)
    for x in range(description.columns):
        axes.plot([x, x], [0, description.rows - 1], color=_LINK, linewidth=2, zorder=1)


def _draw_tile(
    axes: Axes, description: Description, x: int, y: int, face: Any, label: str | None
) -> None:
    from matplotlib.patches import Circle, Rectangle

    left, bottom = x - _TILE / 2, y - _TILE / 2
    axes.add_patch(
        Rectangle((left, bottom), _TILE, _TILE, facecolor=face, edgecolor=_TILE_EDGE, zorder=2)
    )
    if label is not None:
        axes.text(x, y, label, ha="center", va="center", fontsize=8, zorder=4, color=_TEXT)
        return
    first = (y * description.columns + x) * description.cores_per_tile
    height = (_TILE - 0.1) / description.cores_per_tile - 0.04
    for z in range(description.cores_per_tile):
        base = bottom + 0.06 + z * (height + 0.04)
        axes.add_patch(
            Rectangle(
                (left + 0.06, base),
                0.36,
                height,
                facecolor=_CORE_FACE,
                edgecolor=_TILE_EDGE,
                linewidth=0.6,
                zorder=3,
            )
        )
        axes.text(
            left + 0.24,
            base + height / 2,
            description.core_label(first + z),
            ha="center",
            va="center",
            fontsize=8,
            zorder=4,
            color=_TEXT,
        )
    axes.add_patch(
        Circle((left + 0.58, bottom + 0.2), 0.1, facecolor="white", edgecolor=_TILE_EDGE, zorder=3)
    )
    axes.text(
        left + 0.58, bottom + 0.2, "R", ha="center", va="center", fontsize=6, zorder=4, color=_TEXT
    )
    axes.text(
        left + 0.58,
        bottom + 0.53,
        "MPB",
        ha="center",
        va="center",
        fontsize=5.5,
        zorder=4,
        color=_TEXT,
    )


def _draw_unit(axes: Axes, description: Description, unit: EdgeUnit) -> None:
    from matplotlib.patches import Rectangle

    dx, dy = _STEP[unit.port]
    face = next(c for name, c in _UNIT_FACE.items() if unit.name.startswith(name))
    x, y = unit.x + 0.95 * dx, unit.y + 0.8 * dy
    axes.plot([unit.x, x], [unit.y, y], color=_LINK, linewidth=2, zorder=1)
    width, height = 0.62, 0.42
    axes.add_patch(
        Rectangle(
            (x - width / 2, y - height / 2),
            width,
            height,
            facecolor=face,
            edgecolor=_TILE_EDGE,
            zorder=2,
        )
    )
    axes.text(x, y, unit.name, ha="center", va="center", fontsize=8, zorder=4, color=_TEXT)


def save(description: Description, to: Output, theme: str = "light") -> None:
    """The picture of README: the chip as its description says it is."""
    from rockcreek.plot import style

    def draw_whole(figure: Figure) -> None:
        figure.set_layout_engine("none")
        axes = figure.add_axes((0.01, 0.01, 0.98, 0.91))
        draw(axes, description)
        axes.set_title(
            f"{description.title}\n{description.columns} x {description.rows} tiles, "
            f"{description.core_count} cores; R: router, MPB: message-passing buffer, "
            "MC: memory controller, SIF: system interface",
            fontsize=9,
        )

    style.save(to, (8.4, 5.4), theme, draw_whole)
