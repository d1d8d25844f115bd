"""One way of an interrupt by distance, its parts on one tile, and the kernel's path."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings, fit_line, hops, median
from rockcreek.repro.runs import Run

HOP_NS = 5  # 4 mesh cycles at 800 MHz: an interrupt is one packet, one way
WHOLE = (
    "setting the pin under its lock, entry, saving registers, lowering the pin under its lock, end "
    "of interrupt and return: 300 to 612 cycles on one tile"
)
PARTS = ("read", "one-way", "handler", "set", "stamp", "lock", "guarded-handler")


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    period = Fraction(chip.core_period_ps, 1000)
    parts: dict[int, dict[str, Fraction]] = {}
    sends, ways = [], []
    for run in runs:
        if run.job == "pins":
            parts[run.values["other"]] = _parts(run.text)
        else:
            rounds, sending, cycles = map(int, run.text.split())
            sends.append(Fraction(sending, rounds))
            ways.append(Fraction(cycles, 2 * rounds))
    near = parts[1]
    points = []
    for core, figures in parts.items():
        net = (figures["one-way"] - figures["stamp"]) * period
        points.append((hops(chip.tile_of(0), chip.tile_of(core)), net))
    # On one tile there is no hop, and no meeting of the two clocks on the way.
    fit = fit_line(point for point in points if point[0] > 0)
    # The register is read before the pin is set; each part holds one time stamp too many.
    setting = near["read"] + near["one-way"] - 2 * near["stamp"]
    bare = setting + near["handler"] - near["stamp"]
    whole = near["lock"] + setting + near["guarded-handler"] - 2 * near["stamp"]
    rows = [["core", "hops", *(f"{name}, cycles" for name in PARTS)]]
    for (distance, _), (core, figures) in zip(points, parts.items(), strict=True):
        numbers = [f"{float(figures[name]):.1f}" for name in PARTS]
        rows.append([str(core), str(distance), *numbers])
    return Findings(
        values={
            "bf-ipi-same-tile": whole,
            "bf-ipi-notify": {"send": sends, "one_way": ways},
        },
        checks={
            "from the write of the pin to the handler 50 to 150 ns, plus distance": Answer(
                50 <= min(points)[1] <= 150, f"{float(min(points)[1]):.1f} ns on one tile"
            ),
            WHOLE: Answer(
                300 <= whole <= 612,
                f"{float(whole):.0f} cycles; {float(bare):.0f} without locks and saved registers",
            ),
            "a hop costs 4 mesh cycles, 5 ns": Answer(
                abs(fit.slope / HOP_NS - 1) < 0.05 and fit.r_squared > 0.99,
                f"{fit.slope:.3f} ns per hop, R² {fit.r_squared:.5f}",
            ),
        },
        tables={
            "One interrupt on one tile": _account(near),
            "Parts of an interrupt from core 0": rows,
        },
        data={"one_way_ns": points, "parts": parts},
    )


def _account(near: dict[str, Fraction]) -> list[list[str]]:
    """What the whole is made of, a time stamp taken from each part."""
    parts = {
        "the sender takes the lock": near["lock"],
        "it reads the pins' register": near["read"],
        "from the write of the pin to the first instruction of the handler": near["one-way"],
        "handler: registers saved, lock, pin low, end of interrupt, registers back, return": near[
            "guarded-handler"
        ],
    }
    rows = [["part", "core cycles"]]
    rows += [[name, f"{float(cycles - near['stamp']):.0f}"] for name, cycles in parts.items()]
    return rows


def _parts(text: str) -> dict[str, Fraction]:
    figures = {}
    for line in text.splitlines():
        name, *samples = line.split()
        figures[name] = median(map(int, samples))
    figures["one-way"] = figures.pop("round-trip") / 2
    return figures
