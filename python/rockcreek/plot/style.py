"""Light and dark, colours for people of any colour vision, and files without a date."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rockcreek.outputs import Output
from rockcreek.pictures.svg import KINDS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_INK = {"light": "#1b1b1f", "dark": "#ececf1"}
_PAPER = {"light": "#ffffff", "dark": "#16161a"}
_RULE = {"light": "#c9c9d1", "dark": "#4a4a55"}
SHAPES = "osD^vPX"


def save(to: Output, size: tuple[float, float], theme: str, draw: Callable[[Figure], Any]) -> None:
    """Draw a figure and write it as PNG or SVG: the same data give the same bytes."""
    import matplotlib
    from matplotlib import rcsetup
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    ink, paper = _INK[theme], _PAPER[theme]
    colours: dict[Any, Any] = dict.fromkeys(
        ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), ink
    )
    colours |= dict.fromkeys(
        ("figure.facecolor", "axes.facecolor", "savefig.facecolor", "legend.facecolor"), paper
    )
    colours |= {"grid.color": _RULE[theme], "svg.hashsalt": "rockcreek"}
    colours["axes.prop_cycle"] = rcsetup.cycler(color=KINDS)
    with matplotlib.rc_context(colours):
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        draw(figure)
        drawn = io.BytesIO()
        if to.path.endswith(".svg"):
            figure.savefig(drawn, format="svg", dpi=150, metadata={"Date": None})
        else:
            figure.savefig(drawn, format="png", dpi=150, metadata={"Software": None})
        to.write(drawn.getvalue())
