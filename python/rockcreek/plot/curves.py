"""Curves over several runs: speed-up and energy against the number of cores or the clock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from rockcreek.errors import InputError
from rockcreek.formats.rows import Run as Row
from rockcreek.outputs import Output
from rockcreek.plot import style

_SIZE = (6.4, 4.4)
Column = Literal["program", "arguments", "ues", "clocks"]


def series(rows: Sequence[Row], x: Column) -> dict[str, list[Row]]:
    """Runs that belong together (same program, arguments and all of cores and clocks that is not
    `x`), in the order of `x`.

    >>> run = {"program": "a", "arguments": "", "clocks": "533/800/800"}
    >>> found = series([{**run, "ues": 4}, {**run, "ues": 1}], "ues")
    >>> {name: [row["ues"] for row in rows] for name, rows in found.items()}
    {'a': [1, 4]}
    """
    columns: tuple[Column, ...] = ("program", "arguments", "ues", "clocks")
    same = [key for key in columns if key != x]
    # Only what differs is said.
    told = [key for key in same if len({row[key] for row in rows}) > 1 or key == "program"]
    found: dict[str, list[Row]] = {}
    for row in sorted(rows, key=lambda row: _place(row, x)):
        words = [f"{row[key]} cores" if key == "ues" else str(row[key]) for key in told]
        found.setdefault(", ".join(word for word in words if word), []).append(row)
    return found


def _place(row: Row, x: Column) -> float:
    return float(str(row[x]).split("/", 1)[0])


def _seconds(row: Row, runs: Sequence[Row]) -> float:
    """The time of a run's region of interest, if all these runs have one; else its whole time."""
    region_s = row.get("roi_time_s")
    return region_s if region_s and all(run.get("roi_time_s") for run in runs) else row["time_s"]


def save_speedup(rows: Sequence[Row], to: Output, theme: str) -> None:
    """Draws the speed-up over the run of the same program with the fewest cores."""

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        most = 1.0
        for n, (name, runs) in enumerate(series(rows, "ues").items()):
            first = runs[0]
            cores = [row["ues"] for row in runs]
            # With 4 cores as the fewest, those count as 4 times one.
            ratios = [first["ues"] * _seconds(first, runs) / _seconds(row, runs) for row in runs]
            axes.plot(cores, ratios, f"-{style.SHAPES[n % len(style.SHAPES)]}", label=name)
            most = max(most, *cores)
        axes.plot([1, most], [1, most], ":", color="gray", label="as many times as cores")
        axes.set_xlabel("cores")
        axes.set_ylabel("speed-up")
        axes.grid(visible=True)
        axes.legend(fontsize=8)

    style.save(to, _SIZE, theme, draw)


def save_energy(rows: Sequence[Row], to: Output, theme: str) -> None:
    """Energy and energy-delay product against cores, or against the clock if that varies more."""
    if any(row["energy_j"] is None for row in rows):
        raise InputError(
            "not all of these runs recorded their energy", path="", hint="`rck run --power` does"
        )
    clocks, ues = ({row["clocks"] for row in rows}, {row["ues"] for row in rows})
    x: Column = "clocks" if len(clocks) > len(ues) else "ues"

    def draw(figure: Any) -> None:
        above, below = figure.subplots(2, 1, sharex=True)
        for n, (name, runs) in enumerate(series(rows, x).items()):
            line = f"-{style.SHAPES[n % len(style.SHAPES)]}"
            places = [_place(row, x) for row in runs]
            above.plot(places, [(row["energy_j"] or 0.0) * 1e3 for row in runs], line, label=name)
            below.plot(places, [(row["edp_js"] or 0.0) * 1e3 for row in runs], line, label=name)
        above.set_ylabel("energy of the chip, mJ")
        below.set_ylabel("energy times time, mJ s")
        below.set_xlabel("cores" if x == "ues" else "MHz of the tiles")
        for axes in (above, below):
            axes.set_ylim(bottom=0)
            axes.grid(visible=True)
        above.legend(fontsize=8)

    style.save(to, (_SIZE[0], 5.6), theme, draw)
