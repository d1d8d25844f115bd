"""Run times and speed-ups of Laplace's variants, and the cost of a page fault by distance."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings, hops, mean
from rockcreek.repro.runs import Run

VARIANTS = ("lazy", "strong4", "strong1", "mp")
NEARLY = Fraction(4, 5)  # of the ideal speed-up: "nearly linear"

Curve = dict[int, int]  # microseconds by the number of cores


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    times: dict[str, Curve] = {variant: {} for variant in VARIANTS}
    checksums: set[tuple[str, str]] = set()
    faults: dict[str, Curve] = {variant: {} for variant in VARIANTS}
    costs: list[tuple[int, list[int]]] = []
    corners: list[tuple[str, str]] = []
    for run in runs:
        words = run.text.split()
        if run.job == "costs":
            far = hops((0, 0), chip.tile_of(run.cores[1]["core"]))
            costs.append((far, [int(word) for word in words]))
            continue
        variant, cores = words[0], int(words[1])
        if run.job == "corners":
            corners.append((variant, f"{int(words[2]) / 1000:.1f}"))
            continue
        times[variant][cores] = int(words[2])
        faults[variant][cores] = int(words[4])
        checksums.add((f"{run.values['rows']}", words[3]))
    counts = sorted(times["lazy"])
    speed = {
        variant: {cores: Fraction(curve[1], us) for cores, us in curve.items()}
        for variant, curve in times.items()
    }
    linear = [cores for cores in counts if 1 < cores < 32]
    ratio = mean(Fraction(times["lazy"][cores], times["mp"][cores]) for cores in linear)
    return Findings(
        values={"msvm-laplace-order-sm-mp": ratio},
        trends=_trends(times, speed, counts),
        checks={
            "all variants compute the same bits on all numbers of cores": Answer(
                len(checksums) == 1, ", ".join(sorted(f"{a}: {b}" for a, b in checksums))
            )
        },
        tables={
            "Laplace, ms": _table(times, counts, lambda us: f"{us / 1000:.1f}"),
            "Speed-up": _table(speed, counts, lambda up: f"{float(up):.2f}"),
            "One core beside each controller, ms": [["variant", "time"], *map(list, corners)],
            "Page faults of all cores": _table(faults, counts, str),
            "A page from another core (cycles)": [
                ["hops", "the access", "of it until the page is there", "of it the mail"],
                *([str(far), *map(str, row)] for far, row in sorted(costs)),
            ],
        },
        data={"us": times, "speed": speed, "costs": costs},
    )


def _trends(
    times: dict[str, Curve], speed: dict[str, dict[int, Fraction]], counts: list[int]
) -> dict[str, Answer]:
    most = counts[-1]
    middle = [cores for cores in counts if 8 <= cores <= 24]

    def told(variant: str) -> str:
        ups = ", ".join(f"{cores}: {float(speed[variant][cores]):.2f}" for cores in counts)
        return f"speed-up of {variant} by cores: {ups}"

    order = all(
        times["lazy"][cores] < times["strong4"][cores] < times["strong1"][cores] for cores in middle
    )
    four, one = speed["strong4"], speed["strong1"]
    beyond = [cores for cores in counts if cores > 8]
    return {
        "msvm-laplace-order": Answer(
            order,
            "; ".join(
                f"{cores} cores: {times['lazy'][cores]}, {times['strong4'][cores]}, "
                f"{times['strong1'][cores]} us"
                for cores in middle
            ),
        ),
        "msvm-laplace-lazy": Answer(speed["lazy"][most] >= NEARLY * most, told("lazy")),
        "msvm-laplace-strong-1mc": Answer(one[most] < four[most], told("strong1")),
        "msvm-laplace-strong-4mc": Answer(
            four[8] >= NEARLY * 8 and all(four[n] / n < four[8] / 8 for n in beyond),
            told("strong4"),
        ),
        "msvm-laplace-superlinear": Answer(speed["mp"][most] > most, told("mp")),
    }


def _table(curves, counts, tell) -> list[list[str]]:  # type: ignore[no-untyped-def]
    rows = [["cores", *VARIANTS]]
    for cores in counts:
        rows.append([str(cores), *(tell(curves[variant][cores]) for variant in VARIANTS)])
    return rows
