"""Throughput, latency and task times of the benchmarks over LPEL, by cores and variant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings, mean
from rockcreek.repro.runs import Run

OUTSIDE = 4  # cores with sources and sinks: not counted, as published
MOST = 40
NEARLY = Fraction(3, 4)  # of the ideal speed-up: "about linear"
WRONG = 10**6  # what a sink adds for a message that is not right
FLAT = Fraction(11, 10)  # less than this from one number of cores to the next
PIPELINE = ("initP", "stepP", "first rounds", "last rounds", "split", "calHist", "filt")


@dataclass
class Measured:
    """One run of a benchmark."""

    cores: int
    variant: str
    messages: int = 0
    us: int = 0
    latency: Fraction = Fraction(0)
    total: int = 0  # what the sink added up
    left: bool = True
    tasks: dict[str, tuple[int, int, int, int]] = field(default_factory=dict)

    @property
    def throughput(self) -> Fraction:
        """Messages a second."""
        return Fraction(self.messages * 10**6, self.us)

    def task_mean(self) -> Fraction:
        """Microseconds a task and message, over the pipeline's tasks."""
        return mean(
            Fraction(total, messages)
            for name, (messages, _, _, total) in self.tasks.items()
            if name in PIPELINE and messages
        )


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    measured: dict[str, list[Measured]] = {}
    transfer: dict[str, list[int]] = {}
    for run in runs:
        if run.job == "transfer":
            for line in run.text.splitlines():
                words = line.split()
                transfer.setdefault(words[0], []).append(int(words[1]))
                if words[0] == "bytes":
                    transfer.setdefault("words", []).append(int(words[3]))
        else:
            measured.setdefault(run.job, []).append(_measured(run))
    for group in measured.values():
        group.sort(key=lambda one: one.cores)
    ratios = _ratios(measured)
    told = {name: mean(us) / 1000 for name, us in transfer.items()}
    return Findings(
        values=ratios
        | {"lpel-shm-64k": told["bytes"], "lpel-mpi-64k": told["message"]}
        | _tasks(measured),
        trends=_trends(measured),
        checks={
            "every run delivers the right data and leaves no memory in use": Answer(
                all(_right(name, group) for name, group in measured.items()),
                "; ".join(
                    f"{name}: {', '.join(f'{m.messages} ({m.total})' for m in group)}"
                    for name, group in measured.items()
                ),
            )
        },
        tables=_tables(measured, told),
        data={
            "throughput": {
                name: {one.cores: float(one.throughput) for one in group}
                for name, group in measured.items()
            }
        },
    )


def _measured(run: Run) -> Measured:
    variant = {"fft-stacks": "DLB", "fft-messages": "MLB"}.get(run.job, "NDLB")
    cores = int(run.values["n"]) - (0 if variant == "MLB" else OUTSIDE)
    found = Measured(cores, variant)
    sinks: list[dict[str, int]] = []
    for line in run.text.splitlines():
        kind, name, *rest = line.split()
        words = [name, *rest]
        if kind == "sink":
            numbers = dict(zip(words[1::2], map(int, words[2::2]), strict=True))
            sinks.append(numbers)
        elif kind == "task":
            at = words.index("instances")
            name = " ".join(words[:at])
            numbers = dict(zip(words[at::2], map(int, words[at + 1 :: 2]), strict=True))
            before = found.tasks.get(name, (0, numbers["shortest"], 0, 0))
            found.tasks[name] = (
                before[0] + numbers["messages"],
                min(before[1], numbers["shortest"]),
                max(before[2], numbers["longest"]),
                before[3] + numbers["total"],
            )
        elif kind == "left":
            found.left = int(words[0]) > 0
    # A sink that got nothing has no time.
    some = [sink for sink in sinks if sink["messages"]]
    found.messages = sum(sink["messages"] for sink in some)
    found.us = max(sink["last"] for sink in some) - min(sink["began"] for sink in some)
    found.latency = Fraction(sum(sink["latency"] for sink in some), found.messages)
    found.total = sum(sink["sum"] for sink in some)
    return found


def _right(name: str, group: Sequence[Measured]) -> bool:
    """FILT adds up points at edges, about as many in each picture; others mark what is wrong."""
    if any(one.left or not one.messages for one in group):
        return False
    if name != "filt":
        return all(one.total < WRONG for one in group)
    edges = [Fraction(one.total, one.messages) for one in group]
    return min(edges) > Fraction(9, 10) * max(edges)


def _at(group: Sequence[Measured], cores: int) -> Measured | None:
    return next((one for one in group if one.cores == cores), None)


def _ratios(measured: dict[str, list[Measured]]) -> dict[str, Fraction]:
    def compared(a: str, b: str, what: Callable[[Measured], Fraction]) -> list[Fraction]:
        pairs = [(one, _at(measured[b], one.cores)) for one in measured[a]]
        return [what(one) / what(other) for one, other in pairs if other]

    def speed(one: Measured) -> Fraction:
        return one.throughput

    def late(one: Measured) -> Fraction:
        return one.latency

    return {
        "lpel-ndlb-dlb": min(compared("fft", "fft-stacks", speed)),
        "lpel-mlb-dlb-thr": max(compared("fft-stacks", "fft-messages", speed)),
        "lpel-mlb-ndlb-thr": max(compared("fft", "fft-messages", speed)),
        "lpel-mlb-lat-dlb": max(compared("fft-messages", "fft-stacks", late)),
        "lpel-mlb-lat-ndlb": max(compared("fft-messages", "fft", late)),
    }


def _tasks(measured: dict[str, list[Measured]]) -> dict[str, object]:
    return {
        "lpel-task-fft": measured["fft"][0].task_mean() / 1000,
        "lpel-task-des": measured["des"][0].task_mean() / 1000,
    }


def _difference(low: int, high: int) -> Fraction:
    return Fraction(100 * (high - low), low)


def _trends(measured: dict[str, list[Measured]]) -> dict[str, Answer]:
    def told(*names: str) -> str:
        return "; ".join(
            f"{name}: " + ", ".join(f"{cores}: {float(up):.1f}" for cores, up in _speed(group))
            for name in names
            if (group := measured.get(name))
        )

    def linear(name: str, cores: int) -> bool:
        up = dict(_speed(measured.get(name, []))).get(cores, Fraction(0))
        return up >= NEARLY * (cores - 1)

    fft, des = dict(_speed(measured["fft"])), dict(_speed(measured["des"]))
    most = max(fft)
    late = {one.cores: one.latency for one in measured["des"]}
    fewer = [cores for cores in late if cores <= 16]
    falls = all(late[a] > late[b] for a, b in pairwise(fewer))
    flat = max(fft.get(40, 0), 1) <= FLAT * max(fft.get(32, 0), 1)
    return {
        "lpel-fft-scal": Answer(linear("fft", 16) and flat, told("fft")),
        "lpel-des-scal": Answer(most in des and des[most] > fft[most], told("des", "fft")),
        "lpel-lat-16": Answer(
            falls and late.get(40, 0) >= late.get(16, 0) and 16 in late,
            "DES, ms by cores: "
            + ", ".join(f"{cores}: {float(us) / 1000:.0f}" for cores, us in late.items()),
        ),
        "lpel-hist-filt": Answer(
            linear("hist", MOST) and linear("filt", MOST), told("hist", "filt")
        ),
    }


def _speed(group: Sequence[Measured]) -> list[tuple[int, Fraction]]:
    return [(one.cores, one.throughput / group[0].throughput) for one in group]


def _tables(
    measured: dict[str, list[Measured]], transfer: dict[str, Fraction]
) -> dict[str, list[list[str]]]:
    rows = [["program", "variant", "cores", "messages a second", "mean latency, ms", "task, ms"]]
    tasks = [["program", "task", "shortest, s", "longest, s", "difference, %"]]
    for name, group in measured.items():
        for one in group:
            rows.append(
                [name.split("-")[0], one.variant, str(one.cores), f"{float(one.throughput):.2f}",
                 f"{float(one.latency) / 1000:.1f}", f"{float(one.task_mean()) / 1000:.1f}"]
            )  # fmt: skip
        if group[0].variant == "NDLB":
            tasks += [
                [name, task, f"{low / 1e6:.4f}", f"{high / 1e6:.4f}",
                 f"{float(_difference(low, high)):.1f}"]
                for task, (_, low, high, _) in group[-1].tasks.items()
            ]  # fmt: skip
    return {
        "Throughput and latency": rows,
        "Tasks on the most cores, by instance": tasks,
        "64 kB, ms": [
            ["by bytes", "by 8 bytes", "by TCP/IP"],
            [f"{float(transfer[name]):.2f}" for name in ("bytes", "words", "message")],
        ],
    }
