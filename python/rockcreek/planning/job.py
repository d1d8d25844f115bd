"""One run of the planner on the chip: two files in, a plan and a report out.

The program comes ready (`systems/planner`, built as the examples are). It sees a folder of its own
with copies of the two files, and writes each better plan there: what it has found is there
whatever ends the run.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypedDict

from rockcreek.errors import InputError, NotFoundError
from rockcreek.exit_codes import ExitCode
from rockcreek.formats.common import Schema, count_of
from rockcreek.reading import documents
from rockcreek.resources import GUEST
from rockcreek.results.result import END_DEADLOCK, END_EXITED, Result
from rockcreek.running.options import TermValues
from rockcreek.running.run_job import Job, execute

# As the planner's own limit (systems/planner/pddl/text.cpp).
MOST_BYTES = 8 << 20
# Names that are longer are cut: they travel on the guest kernel's command line.
_LONGEST_NAME = 200


@dataclass(frozen=True)
class Request:
    """The problem and the options of a search; times are simulated seconds."""

    domain: str | Path
    problem: str | Path
    n: int = 48
    weight: int = 3
    limit_s: float | None = None
    anytime_s: float | None = None
    ties: int | None = None
    independent: bool = False
    lookahead: bool = True
    portfolio: bool = False  # rank 0 searches alone, the others together
    owner: str = "hash"  # what names the rank of a state: hash, abstract
    batch: int = 1  # most states in a message
    spread: bool = False  # states that lookahead reaches go to their owners
    memory_mb: int | None = None  # for nodes, of each rank
    trace: bool = False
    terms: TermValues = field(default_factory=TermValues)  # fields of a run's `Job`


class RankReport(TypedDict):
    """The counts of one rank (systems/planner/answer/report.cpp): states, messages, bytes."""

    evaluated: int
    expanded: int
    generated: int
    duplicates: int
    dead_ends: int
    pruned: int
    lookahead: int
    nodes: int
    sent: int
    taken: int
    bytes: int
    stalls: int
    memory: int
    search_ns: int
    waiting_ns: int
    unfed_ns: int
    hadd_cycles: int


class Report(TypedDict, total=False):
    """The planner's report; `length`, `cost` and `found_ns` only of a plan."""

    end: str
    exhausted: bool
    length: int
    cost: int
    found_ns: int
    full_rank: int
    full_nodes: int
    facts: int
    actions: int
    reached_atoms: int
    reached_actions: int
    read_ns: int
    ground_ns: int
    ranks: list[RankReport]


class Document(TypedDict):
    """What `rck plan --json` writes."""

    schema: Schema
    domain: str
    problem: str
    cores: int
    end: str
    plan: list[str]
    chip_ps: int
    instructions: int
    planner: Report


@dataclass(frozen=True)
class Answer:
    """The answer of the planner and the result of its run."""

    end: str  # solved, no plan, time up, memory full; else that of the run
    plan: str  # as the planning competitions write it; empty: there is none
    report: Report  # the planner's; empty if it did not come that far
    records: tuple[str, ...]  # of the trace, a line each, by time
    result: Result

    @property
    def steps(self) -> list[str]:
        """The plan's actions."""
        return [line for line in self.plan.splitlines() if line.startswith("(")]

    def total(self, name: str) -> int:
        """A count over all ranks: evaluated, generated, sent ..."""
        return sum(count_of(rank, name) for rank in self.report.get("ranks", ()))

    @property
    def exit_code(self) -> int:
        """The exit code of `rck plan`."""
        died = any(core.reason == "dead" for core in self.result.cores)
        # Others that wait for a dead one stand still.
        if died and self.result.end == END_DEADLOCK:
            return ExitCode.PROTOCOL
        if self.result.end != END_EXITED:
            return self.result.exit_code
        failures = {core.failure for core in self.result.cores}
        # The others end with a code of their own when one of them has died.
        if ExitCode.PROTOCOL in failures:
            return ExitCode.PROTOCOL
        if self.plan and failures <= {0}:
            return ExitCode.OK
        if died:
            return ExitCode.PROTOCOL
        return self.result.exit_code


def program_path() -> Path:
    """The planner, built by set-up."""
    path = GUEST / "planner" / "planner"
    if not path.is_file():
        raise NotFoundError(
            f"the planner {path} is missing",
            path=str(path),
            hint="build it with `make setup` (in a checkout), or install the package again",
        )
    return path


def plan(request: Request) -> Answer:
    """Run the planner; input that it cannot read raises InputError with its place."""
    texts = [documents.data(path, most=MOST_BYTES) for path in (request.domain, request.problem)]
    return plan_texts(request, texts)


def plan_texts(request: Request, texts: Sequence[bytes]) -> Answer:
    """Run the planner on a domain and a problem; the request's paths are only their names."""
    with tempfile.TemporaryDirectory(prefix="rck-plan-") as name:
        folder = Path(name)
        for file, content in zip(("domain", "problem"), texts, strict=True):
            (folder / file).write_bytes(content)
        job = Job(program_path(), _arguments(request), n=request.n, share=folder, tag="none")
        result = execute(replace(job, **request.terms))
        return _answer(request, folder, result)


def _arguments(request: Request) -> Sequence[str]:
    words = ["--weight", str(request.weight), "--output", "/plan", "--report", "/report"]
    for option, value in (
        ("--limit", request.limit_s),
        ("--anytime", request.anytime_s),
        ("--ties", request.ties),
        ("--memory", request.memory_mb),
        ("--trace", "/trace" if request.trace else None),
        ("--owner", request.owner if request.owner != "hash" else None),
        ("--batch", request.batch if request.batch != 1 else None),
    ):
        words += [] if value is None else [option, str(value)]
    for option, wanted in (
        ("--independent", request.independent),
        ("--no-lookahead", not request.lookahead),
        ("--portfolio", request.portfolio),
        ("--spread", request.spread),
    ):
        words += [option] if wanted else []
    shown = [str(path)[-_LONGEST_NAME:] for path in (request.domain, request.problem)]
    return [*words, "--as", *shown, "/domain", "/problem"]


def _answer(request: Request, folder: Path, result: Result) -> Answer:
    codes = [core.exit_code for core in result.cores]
    if ExitCode.DATAERR in codes:
        raise _input_error(request, result.stderr.decode(errors="replace"))
    best = folder / "plan"
    report = folder / ("report.0" if request.independent else "report")
    found: Report = documents.json(report) if report.is_file() else {}
    if request.independent and found:
        reports: list[Report] = [
            documents.json(folder / f"report.{rank}") for rank in range(request.n)
        ]
        found["ranks"] = [one["ranks"][0] for one in reports]
    return Answer(
        end=found.get("end", result.end),
        plan=best.read_text(encoding="ascii") if best.is_file() else "",
        report=found,
        records=_records(folder, request.n) if request.trace else (),
        result=result,
    )


def _input_error(request: Request, said: str) -> InputError:
    message, _, hint = said.strip().partition("\nhint: ")
    path = request.problem if message.startswith(str(request.problem)) else request.domain
    return InputError(message, path=str(path), hint=hint.splitlines()[0] if hint else None)


def _records(folder: Path, ranks: int) -> tuple[str, ...]:
    """The ranks' records, by time, and those of one time by rank."""
    found: list[tuple[int, int, str]] = []
    for rank in range(ranks):
        path = folder / f"trace.{rank}"
        lines = path.read_text(encoding="ascii").splitlines() if path.is_file() else []
        for line in lines:
            ns = int(line.split('"ns":', 1)[1].split(",", 1)[0])
            found.append((ns, rank, line))
    return tuple(line for _, _, line in sorted(found, key=lambda record: record[:2]))
