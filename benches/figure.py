"""The picture of docs/performance.md: how many times as fast as each tool, program by program."""

from __future__ import annotations

from pathlib import Path

from benches import demands
from benches.demands import Document

# Okabe and Ito's colours, which most eyes can distinguish.
COLOURS = {"cachegrind": "#0072B2", "qemu": "#E69F00", "native": "#999999"}


def draw(document: Document, path: Path) -> None:
    """Bars on a logarithmic scale around 1."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    programs, tools = demands.compared(document), list(document["tools"])
    figure, axes = pyplot.subplots(figsize=(9, 0.32 * len(programs) * len(tools) / 2 + 1.6))
    height = 0.8 / max(len(tools), 1)
    for n, tool in enumerate(tools):
        values = [demands.ratio(document, name, tool) for name in programs]
        places = [at + n * height for at in range(len(programs))]
        axes.barh(
            places, [value - 1 for value in values], height, left=1, label=tool,
            color=COLOURS.get(tool),
        )  # fmt: skip
        for place, value in zip(places, values, strict=True):
            axes.annotate(
                f"{value:.2g}", (value, place), xytext=(3 if value >= 1 else -3, 0),
                textcoords="offset points", va="center", ha="left" if value >= 1 else "right",
                fontsize=6,
            )  # fmt: skip
    axes.set_xscale("log")
    axes.margins(x=0.12)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_yticks([at + height * (len(tools) - 1) / 2 for at in range(len(programs))], programs)
    axes.invert_yaxis()
    axes.set_xlabel("times as fast as the tool (processor time)")
    axes.legend(loc="upper right", fontsize=8)
    axes.set_title(f"Speed of rck, one busy core ({document['machine']['commit']})", fontsize=10)
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, metadata={"Software": None})
    pyplot.close(figure)
