"""Medians of the samples, in the shape of the published tables."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings, cost_table, fit_line, hops, median
from rockcreek.repro.runs import Run

# Of the instructions, only this one was published as the whole turn of its loop.
WHOLE_TURN = "nop"
WORD_BYTES = 4


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    texts = {run.job: run.text for run in runs}
    figures: dict[str, dict[int, list[int]]] = {}
    for line in texts["accesses"].splitlines():
        place, name, *samples = line.split()
        figures.setdefault(name, {})[int(place)] = list(map(int, samples))
    seen = figures.pop("uc-mpbt")[0]
    medians = {
        name: {place: median(samples) for place, samples in by_place.items()}
        for name, by_place in figures.items()
    }
    costs = {"rdtsc": medians["rdtsc"][0]}
    for line in (texts["instructions"] + texts["syscall"]).splitlines():
        name, *numbers = line.split()
        turns, with_it, without = map(int, numbers)
        net = with_it if name == WHOLE_TURN else with_it - without
        costs[name] = Fraction(net, turns)
    broken = seen == [1, 2] * 4
    values: dict[str, Any] = {
        f"bf-{name}": _rows(chip, medians[name]) for name in ("mpb-read", "mpb-write-line")
    }
    for name in ("dram-read-word-uc", "dram-write-8words-uc", "dram-write-line-wcb"):
        values[f"bf-{name}"] = list(medians[name].values())
    return Findings(
        values={
            **values,
            "bf-instr-costs": costs,
            "fiasco-mpb-uc": WORD_BYTES * len(set(seen)),
        },
        trends={"chip-uc-mpbt-bug": Answer(broken, f"words of a line that holds 1 to 8: {seen}")},
        checks=_slopes(chip, medians),
        tables={"Where the cycles went": cost_table([(run.job, run) for run in runs])},
        data={"medians": medians, "spread": _spread(figures), "costs": costs},
    )


def _rows(chip: Description, by_tile: dict[int, Fraction]) -> list[list[Fraction]]:
    columns = chip.columns
    return [[by_tile[columns * y + x] for x in range(columns)] for y in range(chip.rows)]


def _slopes(chip: Description, medians: dict[str, dict[int, Fraction]]) -> dict[str, Answer]:
    """A hop costs 4 mesh cycles each way: 10 ns, 5.33 core cycles."""
    answers = {}
    for name in ("mpb-read", "mpb-write-line"):
        points = [
            (hops((0, 0), (tile % chip.columns, tile // chip.columns)), value)
            for tile, value in medians[name].items()
            if tile
        ]
        fit = fit_line(points)
        text = f"{fit.slope:.3f} core cycles per hop, R² {fit.r_squared:.5f}"
        answers[f"{name} rises by 16/3 core cycles per hop"] = Answer(
            abs(fit.slope - 16 / 3) < 0.1 and fit.r_squared > 0.99, text
        )
    return answers


def _spread(figures: dict[str, dict[int, list[int]]]) -> dict[str, list[int]]:
    """Least and most of all samples, by figure."""
    return {
        name: [min(map(min, by_place.values())), max(map(max, by_place.values()))]
        for name, by_place in figures.items()
    }
