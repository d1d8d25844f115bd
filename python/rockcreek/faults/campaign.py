"""Campaigns: one program, one plan, many seeds; a table of what became of it.

A run without faults is the measure. Each other run has a fault of the plan with a seed of its own,
and a limit of simulated time, so that nothing that hangs keeps the host.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NotRequired, TypedDict

from rockcreek.errors import HostLimit, ReportedError, RockcreekError, UsageError
from rockcreek.faults.plan import Plan
from rockcreek.formats import result as formats
from rockcreek.formats.common import Program, Schema
from rockcreek.results.result import END_EXITED, END_FAULT, END_HOST_LIMIT, Result

OUTCOMES = ("masked", "detected", "wrong result", "hang", "crash")
# How long a run may take, measured by the one without faults.
_TIMES_AS_LONG = 4
_LONGER_PS = 2 * 10**9
_CRASHES = ("signal", "panic", "shutdown")

Run = Callable[[Plan | None, int | None, int | None], Result]
# Calls a function with the arguments of each task, side by side: number, what it returned, and why
# there is none, as they end.
Perform = Callable[
    [Callable[..., Any], Sequence[tuple[Any, ...]]], Iterator[tuple[int, Any, str | None]]
]


class OutcomeDocument(TypedDict):
    """One run as `--json` writes it."""

    seed: int
    kinds: list[str]
    outcome: str
    happened: bool
    faults: NotRequired[list[formats.Fault]]
    lost_packets: NotRequired[int]
    cores: NotRequired[list[formats.Noticed]]


class CampaignDocument(TypedDict):
    """All runs as `--json` writes them."""

    schema: Schema
    program: Program
    seed: int
    table: list[dict[str, str]]  # cells by the name of the column
    runs: list[OutcomeDocument]


@dataclass(frozen=True)
class Outcome:
    """One run of a campaign."""

    seed: int
    kinds: tuple[str, ...]
    outcome: str
    happened: bool  # one of its faults found something to break
    faults: formats.Faults | None = None

    def to_dict(self) -> OutcomeDocument:
        document: OutcomeDocument = {
            "seed": self.seed,
            "kinds": list(self.kinds),
            "outcome": self.outcome,
            "happened": self.happened,
        }
        if self.faults is not None:
            document["seed"] = self.faults["seed"]
            document["faults"] = self.faults["faults"]
            document["lost_packets"] = self.faults["lost_packets"]
            document["cores"] = self.faults["cores"]
        return document


def judge(result: Result, measure: Result) -> str:
    """The outcome of a run with a fault, compared with the run without faults.

    A crash is a core that its kernel ended; a hang is a run that did not end in time; detected is
    an exit code that shows the fault; a wrong result is other output without any error.
    """
    if any(core.reason in _CRASHES for core in result.cores):
        return "crash"
    if result.end not in (END_EXITED, END_FAULT):
        return "hang"
    codes = [core.exit_code for core in result.cores]
    if codes != [core.exit_code for core in measure.cores]:
        return "detected"
    return "masked" if result.stdout == measure.stdout else "wrong result"


@dataclass(frozen=True)
class Campaign:
    """Runs of one program; `run(plan, seed, until_ps)` makes one of them."""

    run: Run
    plan: Plan
    seed: int = 0

    def measure(self) -> Result:
        """The run without faults, which must end well by itself."""
        result = self.run(None, None, None)
        if result.end != END_EXITED:
            raise UsageError(
                f"without faults the program does not end by itself ({result.end})",
                hint="a campaign compares with a run that ends well",
            )
        return result

    def each(
        self, measure: Result, count: int, perform: Perform, done: Callable[[int], None]
    ) -> list[Outcome]:
        """The runs, in the order of their seeds in whatever order they end."""
        tasks = [(seed,) for seed in range(self.seed, self.seed + count)]
        found: dict[int, Outcome] = {}
        for number, told, why in perform(_Task(self, measure), tasks):
            if why is not None:
                raise HostLimit(f"the run with seed {self.seed + number}: {why}")
            if not isinstance(told, Outcome):
                raise ReportedError(told[0], told[2], hint=told[1])
            found[number] = told
            done(len(found))
        return [found[number] for number in sorted(found)]


@dataclass(frozen=True)
class _Task:
    campaign: Campaign
    measure: Result

    def __call__(self, seed: int) -> Outcome | tuple[str, str | None, int]:
        """An error goes home as its words, its hint and its exit code."""
        until_ps = _TIMES_AS_LONG * self.measure.time_ps + _LONGER_PS
        # Of several kinds each run has one, in turn.
        specs = self.campaign.plan.specs
        plan = replace(self.campaign.plan, specs=(specs[seed % len(specs)],))
        try:
            result = self.campaign.run(plan, seed, until_ps)
            if result.end == END_HOST_LIMIT:  # no hang of the program
                raise next(error for error in result.errors if isinstance(error, HostLimit))
        except RockcreekError as error:
            return error.message, error.hint, int(error.exit_code)
        placed = result.faults["faults"] if result.faults else []
        kinds = tuple(dict.fromkeys(one["kind"] for one in placed))
        happened = any(one["happened"] for one in placed)
        return Outcome(seed, kinds, judge(result, self.measure), happened, result.faults)


def table(outcomes: Sequence[Outcome]) -> list[list[str]]:
    """By kind of fault: runs, those in which there was something to break, and the outcomes."""
    head = ["fault", "runs", "broke something", *OUTCOMES]
    kinds = list(dict.fromkeys("+".join(one.kinds) for one in outcomes))
    rows = [_row(kind, [o for o in outcomes if "+".join(o.kinds) == kind]) for kind in kinds]
    if len(rows) > 1:
        rows.append(_row("all", outcomes))
    return [head, *rows]


def _row(name: str, outcomes: Sequence[Outcome]) -> list[str]:
    counts = Counter(one.outcome for one in outcomes)
    broke = sum(one.happened for one in outcomes)
    return [name, str(len(outcomes)), str(broke), *(str(counts[one]) for one in OUTCOMES)]


def as_text(rows: Sequence[Sequence[str]]) -> str:
    """The table for people."""
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if n == 0 else cell.rjust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
