"""Times of collectives by bytes and members, and factors between the ways."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings
from rockcreek.repro.runs import Run

Times = dict[tuple[str, str, int], Fraction]  # us by call, way, bytes
BASELINES = ("binomial", "allgather")
FACTOR = 3  # demanded of ours over RCCE's own on the whole chip
LINE = 32


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    by_members: dict[int, Times] = {}
    for run in runs:
        times = by_members.setdefault(len(run.cores), {})
        for line in run.text.splitlines():
            call, way, size, cycles = line.split()
            times[call, way, int(size)] = int(cycles) * Fraction(chip.core_period_ps, 10**6)
    whole = max(by_members)
    times = by_members[whole]
    sizes = sorted({size for call, _, size in times if call == "bcast"})
    best = {size: min(times["bcast", way, size] for way in BASELINES) for size in sizes}
    ours = {size: times["bcast", "ours", size] for size in sizes}
    longest = max(sizes)
    return Findings(
        values={
            "ext-ocbcast-thr": best[longest] / ours[longest],
            "ext-ocbcast-lat": 100 * (1 - ours[LINE] / best[LINE]),
        },
        checks={
            f"ours beats RCCE's own {FACTOR}-fold on the whole chip": _factors(times, whole),
            "RCCE's own broadcast grows with the members, ours less": _growth(by_members),
        },
        tables={
            f"On {whole} cores (us)": _by_size(times, sizes),
            "1 KB by members (us)": _by_members(by_members),
        },
        data={"us": {str(n): {" ".join(map(str, k)): v for k, v in t.items()}
                     for n, t in by_members.items()}},
    )  # fmt: skip


def _factors(times: Times, members: int) -> Answer:
    told, holds = [], True
    for call, way, size in times:
        if way != "ours" or (call == "bcast" and size > 4096):
            continue
        factor = times[call, "rcce", size] / times[call, "ours", size]
        # A small chip has less to gain: the demand is for all 48.
        holds &= factor >= (FACTOR if members == 48 else 1)
        told.append(f"{call} {size}: {float(factor):.1f}")
    return Answer(holds, ", ".join(told))


def _growth(by_members: dict[int, Times]) -> Answer:
    few, many = min(by_members), max(by_members)
    grown = {
        way: by_members[many]["bcast", way, 1024] / by_members[few]["bcast", way, 1024]
        for way in ("rcce", "ours")
    }
    told = (
        f"from {few} to {many} members: {float(grown['rcce']):.1f} and {float(grown['ours']):.1f}"
    )
    return Answer(grown["rcce"] > grown["ours"] > 1, told)


def _by_size(times: Times, sizes: list[int]) -> list[list[str]]:
    rows = [["call", "bytes", "RCCE", *BASELINES, "ours"]]
    rows.append(["barrier", "", *_cells(times, "barrier", 0)])
    for call in ("bcast", "allreduce"):
        rows += [
            [call, str(size), *_cells(times, call, size)]
            for size in sizes
            if (call, "ours", size) in times
        ]
    return rows


def _cells(times: Times, call: str, size: int) -> list[str]:
    found = [times.get((call, way, size)) for way in ("rcce", *BASELINES, "ours")]
    return ["" if value is None else f"{float(value):.1f}" for value in found]


def _by_members(by_members: dict[int, Times]) -> list[list[str]]:
    rows = [["members", "bcast RCCE", *BASELINES, "ours", "allreduce RCCE", "ours"]]
    for members, times in sorted(by_members.items()):
        reduced = _cells(times, "allreduce", 1024)
        rows.append([str(members), *_cells(times, "bcast", 1024), reduced[0], reduced[-1]])
    return rows
