"""One-way times of mails by distance, polled and by interrupt."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings, hops, mean
from rockcreek.repro.runs import Run

KINDS = ("polled", "interrupt")


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    period = Fraction(chip.core_period_ps, 1000)
    times: dict[str, dict[int, Fraction]] = {kind: {} for kind in KINDS}
    for run in runs:
        cycles = int(run.text.split()[0])
        way = cycles * period / (2 * run.values["rounds"])
        times[run.values["kind"]][run.cores[1]["core"]] = way
    distance = {core: hops((0, 0), chip.tile_of(core)) for core in times["polled"]}
    means = {kind: mean(curve.values()) for kind, curve in times.items()}
    told = ", ".join(f"{kind}: {float(ns):.0f} ns" for kind, ns in means.items())
    order = Answer(means["interrupt"] < means["polled"], f"mean over all cores: {told}")
    return Findings(
        trends={"msvm-irq-senderid": order},
        tables={"One way (us)": _table(times, distance)},
        data={"ns": times, "hops": distance},
    )


def _table(times: dict[str, dict[int, Fraction]], distance: dict[int, int]) -> list[list[str]]:
    rows = [["core", "hops", *KINDS]]
    for core, far in sorted(distance.items(), key=lambda item: (item[1], item[0])):
        told = [f"{float(times[kind][core] / 1000):.2f}" for kind in KINDS]
        rows.append([str(core), str(far), *told])
    return rows
