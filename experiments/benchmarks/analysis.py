"""What 100 million instructions do, and what distance and neighbours make of the time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings, fit_line, hops, mean_by
from rockcreek.repro.runs import Run

NORM = 10**8  # instructions that the published table is for
PS = 10**12
MICRO = 10**6
COLUMNS = 6  # tiles in a row
LINEAR = 0.95  # r squared from which on time follows the distance linearly
UNCHANGED = Fraction(3, 100)
SLOWED = Fraction(3, 2)
NAMES = {"share": "Share", "shift": "Shift", "stencil": "Stencil", "pingpong": "Pingpong"}
# Published seconds (in SECOND) and messages: the time from one message to the next.
PUBLISHED = {"Shift": (7784, 147904), "Stencil": (5528, 23283), "Pingpong": (21116, 68407)}
SECOND = 10**4
BY_IPC = ("Stencil", "Shift", "Pingpong", "Share")
_LINE = re.compile(r"^(\d+) (\d+)$", re.MULTILINE)


class Mix:
    """What the longer of two runs has more than the shorter."""

    def __init__(self, few: Run, many: Run, chip: Description) -> None:
        def more(*counters: str) -> int:
            pairs = list(zip(few.cores, many.cores, strict=True))
            return sum(int(b[key]) - int(a[key]) for a, b in pairs for key in counters)

        assert few.energy is not None and many.energy is not None
        self.instructions, self.cycles = more("instructions"), more("cycles")
        self.misses = more("l1i_fills_from_l2", "l1i_fills_from_memory")
        self.messages = _messages(many) - _messages(few)
        self.reads = more("reads_from_bus")
        self.ipc = Fraction(self.instructions, self.cycles)
        self.seconds = NORM / self.ipc * Fraction(chip.core_period_ps, PS)
        femtojoules = many.energy["total_fj"] - few.energy["total_fj"]
        self.watts = Fraction(femtojoules, many.time_ps - few.time_ps) / 1000
        self.edp = self.watts * self.seconds**2

    def per_norm(self, count: int) -> Fraction:
        return Fraction(NORM * count, self.instructions)

    def row(self) -> list[Fraction]:
        """As the published table has it."""
        intensity = Fraction(self.reads, self.instructions)
        counts = [self.per_norm(self.misses), self.seconds, self.per_norm(self.messages)]
        return [*counts, self.ipc, intensity]


def _messages(run: Run) -> int:
    assert run.messages is not None
    return sum(entry["messages"] for kind in ("messages", "puts") for entry in run.messages[kind])


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    mixes = _mixes(runs, chip)
    distance = _by_distance([run for run in runs if run.job == "distance"])
    pairs = _times(run for run in runs if run.job == "pairs")
    far = _times(run for run in runs if run.job.startswith("three-hops"))
    return Findings(
        values={"bu-table1": {name: mix.row() for name, mix in mixes.items()}},
        trends={
            "bu-ipc-order": _by_ipc(mixes),
            "bu-distance": _distance(distance),
            "bu-mem-contention": _contention(pairs),
            "bu-no-net-contention": _contention(far),
        },
        tables={
            "For 100 million instructions of all its cores": _table(mixes),
            "One pair by distance: cycles of a round": _distances(distance),
            "Cycles of a round by pairs side by side, on one tile each": _pairs(pairs),
            "The same, three hops apart": _pairs(far),
        },
        data={"distance": distance, "pairs": pairs, "three_hops": far},
    )


def _mixes(runs: Sequence[Run], chip: Description) -> dict[str, Mix]:
    groups: dict[str, list[Run]] = {}
    for run in runs:
        if run.job == "mix":
            groups.setdefault(NAMES[run.values["what"]], []).append(run)
    return {
        name: Mix(*sorted(both, key=lambda run: int(run.values["rounds"])), chip)
        for name, both in groups.items()
    }


def _cycles(run: Run) -> Fraction:
    """Of a round, on the slowest core."""
    slowest = max(int(cycles) for _, cycles in _LINE.findall(run.text))
    return Fraction(slowest, run.values["rounds"])


def _times(runs: Iterable[Run]) -> dict[str, dict[int, Fraction]]:
    """Cycles of a round by program and number of pairs."""
    times: dict[str, dict[int, Fraction]] = {}
    for run in runs:
        times.setdefault(run.values["what"], {})[len(run.cores) // 2] = _cycles(run)
    return times


def _by_distance(runs: Sequence[Run]) -> dict[str, dict[int, Fraction]]:
    """Cycles of a round by program and hops: the mean over all starts."""
    found: dict[str, list[tuple[int, Fraction]]] = {}
    for run in runs:
        tile = run.values["far"] // 2
        away = hops((0, 0), (tile % COLUMNS, tile // COLUMNS))
        found.setdefault(run.values["what"], []).append((away, _cycles(run)))
    return {what: mean_by(pairs) for what, pairs in found.items()}


def _by_ipc(mixes: Mapping[str, Mix]) -> Answer:
    order = sorted(mixes, key=lambda name: -mixes[name].ipc)
    told = ", ".join(f"{name} {float(mixes[name].ipc):.4f}" for name in order)
    return Answer(tuple(order) == BY_IPC, told)


def _distance(times: Mapping[str, Mapping[int, Fraction]]) -> Answer:
    told, holds = [], True
    for what, by in times.items():
        fit = fit_line(by.items())
        holds = holds and fit.slope > 0 and fit.r_squared >= LINEAR
        told.append(f"{what}: {fit.intercept:.0f} cycles and {fit.slope:.1f} a hop, "
                    f"r squared {fit.r_squared:.4f}")  # fmt: skip
    return Answer(holds, "; ".join(told))


def _contention(times: Mapping[str, Mapping[int, Fraction]]) -> Answer:
    """Share slows down, the others do not."""
    slower = {what: by[max(by)] / by[min(by)] for what, by in times.items() if len(by) > 1}
    holds = all(
        ratio >= SLOWED if what == "share" else abs(ratio - 1) <= UNCHANGED
        for what, ratio in slower.items()
    )
    most = max(max(by) for by in times.values())
    told = ", ".join(f"{what} {float(ratio):.3f}" for what, ratio in slower.items())
    return Answer(holds, f"time of {most} pairs over that of one: {told}")


def _table(mixes: Mapping[str, Mix]) -> list[list[str]]:
    rows = [["", "misses of code", "s", "messages", "instructions per cycle", "bus reads",
             "us from message to message", "published", "W of the chip",
             "energy-delay product (J s)"]]  # fmt: skip
    for name, mix in mixes.items():
        times = ["-", "-"]
        if mix.messages and name in PUBLISHED:
            units, messages = PUBLISHED[name]
            published = Fraction(units, SECOND * messages)
            ours = mix.seconds / mix.per_norm(mix.messages)
            times = [f"{float(value * MICRO):.2f}" for value in (ours, published)]
        rows.append(
            [name, f"{float(mix.per_norm(mix.misses)):.0f}", f"{float(mix.seconds):.3f}",
             f"{float(mix.per_norm(mix.messages)):.0f}", f"{float(mix.ipc):.4f}",
             f"{float(mix.per_norm(mix.reads)):.0f}", *times, f"{float(mix.watts):.2f}",
             f"{float(mix.edp):.2f}"]
        )  # fmt: skip
    return rows


def _distances(times: Mapping[str, Mapping[int, Fraction]]) -> list[list[str]]:
    away = sorted({hop for by in times.values() for hop in by})
    rows = [["hops", *map(str, away)]]
    rows += [[what, *(f"{float(by[hop]):.0f}" for hop in away)] for what, by in times.items()]
    return rows


def _pairs(times: Mapping[str, Mapping[int, Fraction]]) -> list[list[str]]:
    counts = sorted({count for by in times.values() for count in by})
    rows = [["pairs", *map(str, counts)]]
    for what, by in times.items():
        rows.append([what, *(f"{float(by[n]):.0f}" if n in by else "-" for n in counts)])
    return rows
