"""The picture of the ping-pong: the chip coloured by round trip, and the lines over hops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from rockcreek.description import Description
from rockcreek.repro.findings import Findings, rounded
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers distinguish.
COLOURS = {"pull": "#0072B2", "push": "#D55E00"}
MARKERS = {"pull": "o", "push": "s"}
PUBLISHED = "#666666"
FARTHEST = 8


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Draw the three panels."""
    from rockcreek import description

    chip = description.load("scc")
    summary = rounded(findings.data["modes"])
    published = {name: entry.value for name, entry in known.items()}
    figure.set_layout_engine("none")
    figure.set_size_inches(13.5, 6.4)
    grid = figure.add_gridspec(
        2, 2, width_ratios=(1.25, 1), left=0.02, right=0.985, bottom=0.085, top=0.86,
        wspace=0.12, hspace=0.3,
    )  # fmt: skip
    _draw_chip(figure, figure.add_subplot(grid[:, 0]), chip, summary["pull"]["by_core"])
    _draw_round_trip(figure.add_subplot(grid[0, 1]), summary, published)
    _draw_throughput(figure.add_subplot(grid[1, 1]), summary, published)
    figure.suptitle(
        "Ping-pong through the message-passing buffers: core 0 and every other core",
        fontsize=14, x=0.02, ha="left", weight="bold",
    )  # fmt: skip
    figure.text(0.02, 0.905, f"{chip.title}; 400 rounds a core, polling", fontsize=10)


def _draw_chip(
    figure: Figure, axes: Axes, chip: Description, by_core: list[dict[str, Any]]
) -> None:
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    from rockcreek.plot import chip as picture

    trips: dict[tuple[int, int], list[float]] = {}
    for row in by_core:
        trips.setdefault(chip.tile_of(row["core"]), []).append(row["round_trip_ns"])
    means = {tile: sum(values) / len(values) for tile, values in trips.items()}
    text = {tile: f"{value:.0f}" for tile, value in means.items()}
    text[0, 0] = text.get((0, 0), "") + "\ncore 0"
    # The light part of viridis only, so that black figures are readable on every tile.
    colours = ListedColormap(colormaps["viridis"].resampled(256)(range(130, 256)))
    mappable = picture.draw(axes, chip, values=means, colours=colours, text=text)
    bar = figure.colorbar(
        mappable, ax=axes, orientation="horizontal", fraction=0.045, pad=0.02, aspect=40
    )
    bar.set_label("mean round trip of 32 bytes with core 0, pull (ns)")
    bar.outline.set_visible(False)


def _draw_round_trip(axes: Axes, summary: dict[str, Any], published: dict[str, Any]) -> None:
    near, far = published["sct-rtt-poll"]
    slope = published["sct-rtt-slope"]
    axes.plot(
        [0, FARTHEST], [near, far], color=PUBLISHED, linestyle="--", marker="D", markersize=4,
        label=f"chip, pull: {slope} ns per hop [partheymueller-2011]",
    )  # fmt: skip
    for mode in ("pull", "push"):
        fit = summary[mode]["round_trip_fit"]
        _scatter(axes, mode, summary[mode]["by_core"], "round_trip_ns")
        line = [fit["intercept"] + fit["slope"] * hops for hops in (1, FARTHEST)]
        axes.plot(
            [1, FARTHEST], line, color=COLOURS[mode],
            label=f"{mode}: {fit['slope']:.2f} ns per hop, R² {fit['r_squared']:.4f}",
        )  # fmt: skip
    axes.set_ylim(0, 2750)
    axes.set_ylabel("round trip of 32 bytes (ns)")
    _finish(axes, "upper left")


def _draw_throughput(axes: Axes, summary: dict[str, Any], published: dict[str, Any]) -> None:
    near, far = published["sct-thr-poll"]
    axes.plot(
        [0, FARTHEST], [near, far], color=PUBLISHED, linestyle="--", marker="D", markersize=4,
        label="chip, nearest and farthest [partheymueller-2011]",
    )  # fmt: skip
    for mode in ("pull", "push"):
        _scatter(axes, mode, summary[mode]["by_core"], "throughput_mib_s")
        rows = summary[mode]["by_hops"]
        axes.plot(
            [row["hops"] for row in rows], [row["throughput_mib_s"] for row in rows],
            color=COLOURS[mode], label=mode,
        )  # fmt: skip
    axes.set_ylim(0, None)
    axes.set_ylabel("4 KB packets (MiB/s)")
    axes.set_xlabel("hops between the tiles")
    _finish(axes, "lower left")


def _scatter(axes: Axes, mode: str, rows: list[dict[str, Any]], key: str) -> None:
    axes.scatter(
        [row["hops"] for row in rows], [row[key] for row in rows],
        color=COLOURS[mode], marker=MARKERS[mode], s=14, alpha=0.6, linewidths=0,
    )  # fmt: skip


def _finish(axes: Axes, place: Literal["upper left", "lower left"]) -> None:
    axes.set_xticks(range(FARTHEST + 1))
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc=place, fontsize=8.5, frameon=False)
