"""Run times and speed-ups of threads over commit and reconcile, and what the layer costs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings
from rockcreek.repro.runs import Run

NAMES = {
    "false": "FalseSharing",
    "none": "NoFalseSharing",
    "local": "LocalDataAccess",
    "contiguous": "LU/C",
    "rows": "LU/N",
    "radix": "RADIX",
    "fft": "FFT",
    "ocean": "OCEAN",
}
LU = ("LU/C", "LU/N")
TO_32 = ("FFT", "OCEAN")  # powers of two only
NEARLY = Fraction(4, 5)  # of the ideal speed-up: "nearly linear"
AS_FAST = Fraction(1, 10)  # how far two curves may lie apart

Curve = dict[int, Fraction]  # by the number of cores


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    times: dict[str, Curve] = {}
    results: dict[str, set[str]] = {}
    costs: list[list[str]] = []
    for run in runs:
        words = run.text.split()
        if run.job == "costs":
            costs += [[f"{run.values['core']}", *line.split()] for line in run.text.splitlines()]
            continue
        name = NAMES[words[0]]
        times.setdefault(name, {})[int(words[1])] = Fraction(int(words[2]))
        results.setdefault(name, set()).add(words[3])
    speed = {
        name: {cores: curve[1] / us for cores, us in sorted(curve.items())}
        for name, curve in times.items()
    }
    return Findings(
        trends=_trends(speed),
        checks={
            "each program computes the same on all numbers of cores": Answer(
                all(len(found) == 1 and found != {"wrong"} for found in results.values()),
                "; ".join(f"{name}: {', '.join(sorted(found))}" for name, found in results.items()),
            )
        },
        tables={
            "Milliseconds": _table(times, lambda us: f"{float(us) / 1000:.2f}"),
            "Speed-up": _table(speed, lambda up: f"{float(up):.2f}"),
            "Cycles": [
                ["core", "words (or page faults)", "commit (read)", "reconcile (write)"],
                *costs,
            ],
        },
        data={"speed": speed},
    )


def _trends(speed: dict[str, Curve]) -> dict[str, Answer]:
    def told(*names: str) -> str:
        return "; ".join(
            f"{name}: "
            + ", ".join(f"{cores}: {float(up):.2f}" for cores, up in speed[name].items())
            for name in names
        )

    def rises(curve: Curve) -> bool:
        ups = list(curve.values())
        return all(low < high for low, high in pairwise(ups))

    false, none, local = (speed[NAMES[kind]] for kind in ("false", "none", "local"))
    lu = [name for name in LU if name in speed]
    most = max(local)
    common = max(speed["RADIX"])
    others = [name for name in speed if name != "RADIX"]
    return {
        "crf-false-sharing": Answer(
            rises(false) and all(up >= none[cores] * (1 - AS_FAST) for cores, up in false.items()),
            told("FalseSharing", "NoFalseSharing"),
        ),
        "crf-local": Answer(local[most] >= NEARLY * most, told("LocalDataAccess")),
        "crf-lu": Answer(all(rises(speed[name]) for name in lu), told(*lu)),
        "crf-mono": Answer(all(rises(speed[name]) for name in TO_32), told(*TO_32)),
        "crf-radix": Answer(
            all(speed["RADIX"][common] < speed[name][common] for name in others), told("RADIX")
        ),
    }


def _table(curves, tell) -> list[list[str]]:  # type: ignore[no-untyped-def]
    counts = sorted({cores for curve in curves.values() for cores in curve})
    rows = [["cores", *curves]]
    for cores in counts:
        rows.append([str(cores), *(tell(c[cores]) if cores in c else "" for c in curves.values())])
    return rows
