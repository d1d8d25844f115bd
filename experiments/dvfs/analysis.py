"""Times and efficiency of the kernels over dividers, and the model's beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from rockcreek.description import Description
from rockcreek.model.fit import from_counts
from rockcreek.model.kernel import Kernel
from rockcreek.model.predict import Point, bound, predict, volts_of
from rockcreek.repro.findings import Answer, Findings
from rockcreek.repro.runs import Run

FAST_MHZ = 1600
FITTED = 3  # the divider
Cycles = Mapping[int, int]  # by divider
# Elements of a kernel, and its published parameters: accesses and compute cycles an element.
ELEMENTS = {"dot": 2097152, "mv": 1024 * 512, "mm": 160 * 160}
ACCESSES = 4096
SAME = Fraction(9999, 10000)  # a few cycles are where clocks meet
PUBLISHED = {"dot": (2, 36 / 4), "mv": (1, 64 / 4)}


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    cycles = {
        run.values["kernel"]: {
            int(divider): int(count) for divider, count in map(str.split, run.text.splitlines())
        }
        for run in runs
        if run.job == "all"
    }
    fitted = {name: _fit(name, runs, chip) for name in cycles}
    points = {
        name: {point.divider: point for point in predict(kernel, chip)}
        for name, kernel in fitted.items()
    }
    errors = {name: _errors(cycles[name], points[name]) for name in cycles}
    worst = max((error for by in errors.values() for error in by.values()), key=abs)
    efficiency = {name: _efficiency(found, chip) for name, found in cycles.items()}
    dot = cycles["dot"]
    access = _access(next(run for run in runs if run.job == "access"))
    volts = {
        str(divider): [FAST_MHZ // divider, Fraction(round(100 * (_volts(chip, divider))), 100)]
        for divider in dot
    }
    return Findings(
        values={
            "dvfs-46pct": 100 * (1 - access["16"] / access["2"]),
            "dvfs-mem-core-cycles": access,
            "dvfs-mv-dot-opt": 100 * (Fraction(efficiency["dot"][16] / efficiency["dot"][5]) - 1),
            "dvfs-error": 100 * abs(Fraction(worst)),
            "dvfs-dot-time-233": Fraction(dot[16] * 16, dot[5] * 5),
            "dvfs-volt-table": volts,
        },
        trends={
            "dvfs-bound": _bounds(fitted, points),
            "dvfs-mm-opt": _flat(efficiency["mm"], cycles["mm"]),
            "dvfs-dot-cycles": _falling(dot),
            "dvfs-inflection": _inflections(efficiency, points),
        },
        checks={
            "the model fitted at divider 3 is no worse than the paper's 38 %": Answer(
                abs(worst) <= 0.38, f"at worst {100 * worst:+.1f} %"
            )
        },
        tables={
            f"{name}: cycles, time, efficiency, and the models' error": _table(
                name, runs, cycles[name], efficiency[name], errors[name], chip
            )
            for name in cycles
        },
        data={"cycles": cycles, "efficiency": efficiency, "errors": errors},
    )


def _access(run: Run) -> dict[str, Fraction]:
    """Core cycles of an access by divider."""
    lines = ACCESSES >> int(run.values["shrink"])
    return {
        divider: Fraction(int(count), lines)
        for divider, count in map(str.split, run.text.splitlines())
    }


def _fit(name: str, runs: Sequence[Run], chip: Description) -> Kernel:
    """The model of one run, less what it did without the kernel."""
    with_it, without = (
        next(
            run.cores[0]
            for run in runs
            if run.job == "one"
            and run.values["kernel"] == name
            and run.values["divider"] == divider
        )
        for divider in (FITTED, -FITTED)
    )
    more = {key: with_it[key] - without[key] for key in ("cycles", "waiting_cycles", "l2_fills")}
    mhz = FAST_MHZ / FITTED
    return from_counts(
        cycles=more["cycles"],
        waiting=more["waiting_cycles"],
        memory_ps=round(more["waiting_cycles"] * 10**6 / mhz),
        accesses=more["l2_fills"],
        flop=0,
        mhz=mhz,
    )


def _errors(cycles: Cycles, points: Mapping[int, Point]) -> dict[int, float]:
    return {divider: points[divider].cycles / count - 1 for divider, count in cycles.items()}


def _volts(chip: Description, divider: int) -> float:
    volts = volts_of(chip, FAST_MHZ / divider)
    assert volts is not None
    return volts


def _efficiency(cycles: Cycles, chip: Description) -> dict[int, float]:
    """Work for energy, in units of its own: 1 / (V^2 f t)."""
    return {divider: 1 / (_volts(chip, divider) ** 2 * count) for divider, count in cycles.items()}


def _bounds(fitted: Mapping[str, Kernel], points: Mapping[str, Mapping[int, Point]]) -> Answer:
    wanted = {"dot": "memory", "mv": "memory", "mm": "compute"}
    found = {
        name: {bound(fitted[name], point) for point in by.values()} for name, by in points.items()
    }
    holds = all(found[name] == {which} for name, which in wanted.items())
    told = "; ".join(f"{name}: {' and '.join(sorted(which))}" for name, which in found.items())
    return Answer(holds, f"{told} (the larger part of the fitted model)")


def _flat(efficiency: Mapping[int, float], cycles: Cycles) -> Answer:
    from_5 = [value for divider, value in efficiency.items() if divider >= 5]
    spread = max(from_5) / min(from_5) - 1
    below = max(value for divider, value in efficiency.items() if divider < 5)
    fastest = min((cycles[divider] * divider, divider) for divider in cycles if divider >= 5)[1]
    return Answer(
        spread < 0.05 and below < min(from_5) and fastest == 5,
        f"from 5 on within {100 * spread:.1f} %, below at most {below / min(from_5):.2f} of it; "
        f"fastest there: {fastest}",
    )


def _falling(cycles: Cycles) -> Answer:
    ordered = sorted(cycles.items())
    falls = all(a[1] >= b[1] * SAME for a, b in pairwise(ordered))
    slows = all(a[0] * a[1] < b[0] * b[1] for a, b in pairwise(ordered))
    (first, most), (last, least) = ordered[0], ordered[-1]
    return Answer(
        falls and slows,
        f"{most:.3g} cycles at {first}, {least:.3g} at {last}; "
        f"{most * first / FAST_MHZ / 1000:.0f} ms and {least * last / FAST_MHZ / 1000:.0f} ms",
    )


def _inflections(
    efficiency: Mapping[str, Mapping[int, float]], points: Mapping[str, Mapping[int, Point]]
) -> Answer:
    """The largest steps, measured and of the model, are those to dividers 3, 4 and 5."""
    told, holds = [], True
    for name, measured in efficiency.items():
        model = {divider: 1 / (p.volts**2 * p.cycles) for divider, p in points[name].items()}
        for values in (measured, model):
            steps = {b: values[b] / values[a] - 1 for a, b in pairwise(sorted(values))}
            largest = sorted(steps, key=lambda divider: -steps[divider])[:3]
            holds &= sorted(largest) == [3, 4, 5]
        told.append(f"{name}: to {', '.join(map(str, sorted(largest)))}")
    return Answer(holds, f"largest steps, measured and in the model: {'; '.join(told)}")


def _table(
    name: str,
    runs: Sequence[Run],
    cycles: Cycles,
    efficiency: Mapping[int, float],
    errors: Mapping[int, float],
    chip: Description,
) -> list[list[str]]:
    rows = [["divider", "cycles", "ms", "efficiency", "fitted model", "published parameters"]]
    shrink = next(run.values["shrink"] for run in runs)
    best = max(efficiency.values())
    published = {}
    if name in PUBLISHED:
        elements = ELEMENTS[name] >> (shrink if name == "dot" else 2 * shrink)
        accesses, compute = PUBLISHED[name]
        kernel = Kernel(compute=compute * elements, accesses=accesses * elements)
        published = {point.divider: point for point in predict(kernel, chip)}
    for divider, count in sorted(cycles.items()):
        theirs = f"{100 * (published[divider].cycles / count - 1):+.1f} %" if published else ""
        rows.append(
            [str(divider), str(count), f"{count * divider / FAST_MHZ / 1000:.2f}",
             f"{efficiency[divider] / best:.3f}", f"{100 * errors[divider]:+.1f} %", theirs]
        )  # fmt: skip
    return rows
