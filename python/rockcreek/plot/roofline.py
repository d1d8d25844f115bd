"""The roofline: floating-point operations a second against operations a byte of memory traffic.

Roofs are the chip's: an x87 addition each core cycle, and as many lines as the memory controllers
can give one after the other (`timing.memory.line_occupancy`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rockcreek.description import Description
from rockcreek.errors import InputError
from rockcreek.formats.rows import Run
from rockcreek.outputs import Output
from rockcreek.plot import style

# FADD has a throughput of one a cycle: machine/isa/x87.toml.
_OPERATIONS_A_CYCLE = 1


@dataclass(frozen=True)
class Roofs:
    """A chip's limits: operations a second of one core, bytes a second of all controllers."""

    core_flops: float
    memory_bytes: float


def roofs(chip: Description) -> Roofs:
    """The chip's limits, computed from its description.

    >>> from rockcreek import description
    >>> found = roofs(description.load("scc"))
    >>> found.core_flops / 1e6, round(found.memory_bytes / 1e9, 1)
    (533.0, 21.3)
    """
    # Memory is described by its data rate, two transfers a cycle of its bus.
    bus_hz = int(chip.clocks.split("/")[2]) * 1e6 / 2
    line = float(chip.values["cache"]["line"]["value"])
    occupied = float(chip.values["timing"]["memory"]["line_occupancy"]["value"]) / 1000
    controllers = sum(unit.name.startswith("MC") for unit in chip.edge)
    return Roofs(
        core_flops=_OPERATIONS_A_CYCLE * chip.core_mhz * 1e6,
        memory_bytes=controllers * line * bus_hz / occupied,
    )


def save(rows: Sequence[Run], chip: Description, to: Output, theme: str) -> None:
    """A point for each run, below the roofs of as many cores as runs have."""
    counted = [row for row in rows if row["floating_point_operations"] and row["memory_bytes"]]
    if not counted:
        raise InputError(
            "none of these runs has done floating-point operations",
            path="",
            hint="a roofline is about programs that compute with float or double",
        )
    limits = roofs(chip)

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        points = [
            (
                row["floating_point_operations"] / row["memory_bytes"],
                row["floating_point_operations"] / row["time_s"] / 1e6,
                f"{row['program']} on {row['ues']}",
            )
            for row in counted
        ]
        low = min(x for x, _, _ in points) / 4
        high = max(x for x, _, _ in points) * 4
        for cores in sorted({row["ues"] for row in counted}):
            peak = cores * limits.core_flops
            knee = peak / limits.memory_bytes
            xs = [min(low, knee / 4), knee, max(high, knee * 4)]
            ys = [min(peak, x * limits.memory_bytes) / 1e6 for x in xs]
            axes.plot(xs, ys, "-", color="gray", linewidth=1)
            axes.annotate(
                f"{cores} cores", (xs[2], ys[2]), ha="right", va="bottom", fontsize=8, color="gray"
            )
        for n, (x, y, name) in enumerate(points):
            axes.plot([x], [y], style.SHAPES[n % len(style.SHAPES)], label=name)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("floating-point operations a byte of memory traffic")
        axes.set_ylabel("Mflop/s")
        axes.grid(visible=True)
        axes.legend(fontsize=8, loc="lower right")

    style.save(to, (6.4, 4.4), theme, draw)
