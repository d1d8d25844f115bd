"""Times and rates of Linux's network by hops, size and memory; SVP's families over it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rockcreek.description import Description
from rockcreek.repro.findings import Findings, crossing, hops
from rockcreek.repro.runs import Run

SMALLEST_MAPPED = 256  # of the sizes measured, the first that goes by its address
LARGE = 512 * 1024
MESSAGE = 65536
# What a line of netbench tells, behind the size in bytes.
UNITS = {"ping": "us", "stream": "MB/s", "message": "us"}
TITLES = {
    "ping": "There and back by UDP, us",
    "stream": "By TCP, MB/s by the size of a write",
    "message": "A message by TCP and its answer, us",
}

Place = tuple[str, int]  # where the packets are, and the hops between the cores
Curve = dict[int, Fraction]  # by bytes


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    measured: dict[str, dict[Place, Curve]] = {}
    families: dict[str, dict[int, int]] = {}  # ns by transport and bytes
    for run in runs:
        if run.job == "family":
            pairs = zip(*[map(int, run.text.split())] * 2, strict=True)
            families[str(run.values["transport"])] = dict(pairs)
        else:
            far = hops(chip.tile_of(0), chip.tile_of(int(run.values["other"])))
            curve = _curve(run.text, UNITS[run.job])
            measured.setdefault(run.job, {})[str(run.values["memory"]), far] = curve
    near = {job: curves["mpb", 0] for job, curves in measured.items()}
    return Findings(
        values={
            "lpel-mpi-64k": near["message"][MESSAGE] / 1000,
            "lpel-mpi-bw": max(near["stream"].values()) * 10**6 / 2**20,
            **_of_families(families),
        },
        tables={
            **{TITLES[job]: _table(curves) for job, curves in measured.items()},
            "SVP: a family with data, there and back, us": _family_table(families),
        },
        data={
            job: {memory: _by_hops(curves, memory) for memory in ("mpb", "dram")}
            for job, curves in measured.items()
        },
    )


def _curve(text: str, unit: str) -> Curve:
    lines = [line.split() for line in text.splitlines()]
    return {int(words[0]): Fraction(words[words.index(unit) - 1]) for words in lines}


def _by_hops(curves: Mapping[Place, Curve], memory: str) -> dict[int, Curve]:
    return {far: curve for (where, far), curve in sorted(curves.items()) if where == memory}


def _of_families(ns: dict[str, dict[int, int]]) -> dict[str, object]:
    original, direct, remap = (ns[name] for name in ("original", "direct", "remap"))
    last = max(remap)
    large = [size for size in direct if size >= min(LARGE, last)]
    mapped = [size for size in sorted(remap) if size >= SMALLEST_MAPPED]
    values: dict[str, object] = {
        "svp-small-latency": {
            "direct": Fraction(direct[min(direct)], 10**6),
            "remap": Fraction(remap[SMALLEST_MAPPED], 10**6),
        },
        "svp-direct-9x": max(Fraction(original[size], direct[size]) for size in large),
        "svp-remap-100x": Fraction(original[last], remap[last]),
    }
    size = crossing(mapped, remap, direct)
    if size is not None:
        values["svp-crossover"] = size / 1024
    return values


def _table(curves: Mapping[Place, Curve]) -> list[list[str]]:
    sizes = list(next(iter(curves.values())))
    rows = [["memory", "hops", *(f"{size:,} B" for size in sizes)]]
    for memory in ("mpb", "dram"):
        for far, curve in _by_hops(curves, memory).items():
            rows.append([memory, str(far), *(f"{float(curve[size]):.2f}" for size in sizes)])
    return rows


def _family_table(families: dict[str, dict[int, int]]) -> list[list[str]]:
    rows = [["bytes", *families]]
    for size in next(iter(families.values())):
        rows.append([str(size), *(f"{ns[size] / 1000:.0f}" for ns in families.values())])
    return rows
