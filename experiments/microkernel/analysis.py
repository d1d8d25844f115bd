"""scctalk's numbers under the microkernel and under our own kernel, and copies of memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings
from rockcreek.repro.published import Published, load_all
from rockcreek.repro.runs import Run
from rockcreek.repro.study import load_study

EXPERIMENTS = Path(__file__).parents[1]
KERNELS = ("l4", "rck")
# A round trip by interrupts is longer than one by polling by twice an interrupt's path and this.
PUBLISHED_REST_NS = 140


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers: those through the microkernel, with our own kernel's beside them."""
    found = {kernel: _under(kernel, runs, chip) for kernel in KERNELS}
    known = load_all(EXPERIMENTS)
    through, own = (found[kernel] for kernel in KERNELS)
    return Findings(
        values=through.values,
        trends={name: _both(answer, own.trends[name]) for name, answer in through.trends.items()},
        checks={
            "by polling, a round trip takes what it takes under our own kernel, within 2 %": _alike(
                through.values["sct-rtt-poll"], own.values["sct-rtt-poll"]
            ),
        },
        tables={
            "Published, through the microkernel, under our own kernel": _cells(found, known),
            "The gap between interrupts and polling, ns": _gap(found, known),
            "Round trips (ns) and throughput (MiB/s) by distance, microkernel": through.tables[
                "by distance"
            ],
            "Copies, MB/s": through.tables["Throughput"],
        },
        data={kernel: found[kernel].data for kernel in KERNELS},
    )


def _module(study: str) -> ModuleType:
    return load_study(EXPERIMENTS, study).module("analysis")


def _under(kernel: str, runs: Sequence[Run], chip: Description) -> Findings:
    """What the analyses of the two programs say of the runs under one kernel."""
    its = [run for run in runs if run.values["kernel"] == kernel]
    talk = _module("scctalk").analyse([run for run in its if run.job != "copies"], chip)
    copies = _module("memory-copy").analyse([run for run in its if run.job == "copies"], chip)
    by_distance = next(table for name, table in talk.tables.items() if "by distance" in name)
    return Findings(
        values=talk.values,
        trends={**talk.trends, **copies.trends},
        tables={"by distance": by_distance, "Throughput": copies.tables["Throughput"]},
        data={**talk.data, **copies.data},
    )


def _both(through: Answer, own: Answer) -> Answer:
    """The microkernel's answer, and what our own kernel's numbers are."""
    return Answer(through.holds, f"{through.told}\nown kernel: {own.told}")


def _alike(through: Sequence[Fraction], own: Sequence[Fraction]) -> Answer:
    shares = [float(a / b) for a, b in zip(through, own, strict=True)]
    return Answer(
        all(abs(share - 1) <= 0.02 for share in shares),
        f"nearest {shares[0]:.3f}, farthest {shares[1]:.3f} of it",
    )


def _cells(found: Mapping[str, Findings], known: Mapping[str, Published]) -> list[list[str]]:
    rows = [["entry", "cell", "unit", "published", *KERNELS]]
    for name in found[KERNELS[0]].values:
        entry = known[name]
        ours = [entry.cells(found[kernel].values[name]) for kernel in KERNELS]
        rows += [
            [name, label, entry.unit, f"{value:g}", *(f"{float(one[label]):.1f}" for one in ours)]
            for label, value in entry.cells().items()
        ]
    return rows


def _gap(found: Mapping[str, Findings], known: Mapping[str, Published]) -> list[list[str]]:
    """The gap is twice the receiver's path and what the sender needs until the pin is set."""
    paths: dict[str, tuple[Any, Any]] = {
        "published": (known["sct-rtt-gap"].value, known["sct-irq-entry"].value)
    }
    for kernel in KERNELS:
        values = found[kernel].values
        paths[kernel] = values["sct-rtt-gap"], values["sct-irq-entry"]
    rows = [["", "gap", "receiver's path", "2 x path + 140", "left for each sending"]]
    for name, (gap, path) in paths.items():
        left = (gap - 2 * path) / 2
        numbers = (gap, path, 2 * path + PUBLISHED_REST_NS, left)
        rows.append([name, *(f"{float(number):.0f}" for number in numbers)])
    return rows
