"""Round trip and throughput over hops, throughput over the packet size, and the stack's anomaly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rockcreek.repro.findings import Findings
from rockcreek.repro.published import Published
from rockcreek.repro.runs import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers distinguish.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
PUBLISHED = "#666666"
FARTHEST = 8


def draw(
    figure: Figure, findings: Findings, known: Mapping[str, Published], runs: Sequence[Run]
) -> None:
    """Four panels."""
    figure.set_size_inches(11, 7)
    (trip, rate), (size, stack) = figure.subplots(2, 2)
    data = findings.data
    _curves(trip, data["round_trip_ns"], list(data["round_trip_ns"]))
    _published(trip, known["sct-rtt-poll"], "polling, chip")
    _published(trip, known["sct-rtt-irq"], "interrupts, chip")
    trip.set(xlabel="hops", ylabel="round trip of 32 bytes (ns)", ylim=(0, None))
    _curves(rate, data["throughput"], [name for name in data["throughput"] if "pull" in name])
    _published(rate, known["sct-thr-poll"], "polling, chip")
    _published(rate, known["sct-thr-irq"], "interrupts, chip")
    rate.set(xlabel="hops", ylabel="4096-byte packets (MiB/s)", ylim=(0, None))
    _curves(size, data["by_size"], [name for name in data["by_size"] if name.startswith("1 ")])
    size.set(xlabel="packet size (bytes)", ylabel="with core 1 (MiB/s)", xscale="log")
    _curves(stack, data["stack"], list(data["stack"]))
    stack.axvline(1024, color=PUBLISHED, linestyle="--", linewidth=0.8)
    stack.set(xlabel="packet size (bytes); chip: peak at 1024", ylabel="copied (MiB/s)")
    for axes in (trip, rate, size, stack):
        axes.legend(fontsize=7, frameon=False)
        axes.grid(color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)


def _curves(axes: Axes, curves: Mapping[str, Mapping[int, float]], names: Sequence[str]) -> None:
    for name, colour in zip(names, COLOURS, strict=False):
        points = sorted((int(x), float(y)) for x, y in curves[name].items())
        marker = "o" if len(points) < 20 else None
        axes.plot(*zip(*points, strict=True), color=colour, marker=marker, markersize=3, label=name)


def _published(axes: Axes, entry: Published, label: str) -> None:
    axes.plot(
        [0, FARTHEST], entry.value, color=PUBLISHED, linestyle="--", marker="D", markersize=3,
        label=label,
    )  # fmt: skip
