"""Speed-ups, what h_add takes, messages and contention of the planner, by problem."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from rockcreek.description import Description
from rockcreek.planning import problems
from rockcreek.planning.validator.check import check
from rockcreek.planning.validator.lists import Source
from rockcreek.repro.findings import Answer, Findings, median
from rockcreek.repro.runs import Run

PUBLISHED_LIMIT_S = 600
CLASSES_S = (Fraction(1, 10), Fraction(1), Fraction(10), Fraction(100))  # published
LEAST_CLASSES, LEAST_PROBLEMS = 3, 3  # from which a trend may be derived; problems in each
LOOKED_AT = 7  # the rank whose profile is asked for
MOST_READING_S = 5  # reading and grounding, of the chip's time
MOST_CORRELATION = Fraction(3, 10)
MOST_WAITING = Fraction(15, 100)
ALONE = Fraction(9, 10)  # of the rate alone, which a process keeps among others
LEAST_RATE = Fraction(35, 48)  # of the nodes a second of c1, for each core of a job


@dataclass(frozen=True)
class Search:
    """One run."""

    problem: str
    n: int
    limit: Fraction  # s
    report: Mapping[str, object]
    ranks: Sequence[Mapping[str, int]]
    plan: str

    @property
    def solved(self) -> bool:
        return "found_ns" in self.report

    @property
    def time(self) -> Fraction:
        """Seconds until the plan, or until the limit."""
        return Fraction(int(str(self.report["found_ns"])), 10**9) if self.solved else self.limit

    def total(self, name: str) -> int:
        return sum(rank[name] for rank in self.ranks)

    def together(self, name: str) -> Fraction:
        """A count of all ranks, a second."""
        return Fraction(self.total(name) * 10**9, self.ranks[0]["search_ns"])

    def rate(self, rank: int = 0) -> Fraction:
        """Nodes a second of one rank."""
        one = self.ranks[rank]
        return Fraction(one["evaluated"] * 10**9, one["search_ns"])

    @property
    def waiting(self) -> Fraction:
        return Fraction(self.total("waiting_ns"), self.total("search_ns"))

    @property
    def starved(self) -> Fraction:
        """Waiting of ranks that have had a state, of their time since then; 0: none had one."""
        fed = self.total("search_ns") - self.total("unfed_ns")
        return (
            Fraction(self.total("waiting_ns") - self.total("unfed_ns"), fed) if fed else Fraction()
        )

    def hadd(self, rank: int, cycles_a_ns: Fraction) -> Fraction | None:
        """What h_add has of the rank's cycles outside waiting."""
        one = self.ranks[rank]
        cycles = (one["search_ns"] - one["waiting_ns"]) * cycles_a_ns
        return one["hadd_cycles"] / cycles if one["evaluated"] else None


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's answers."""
    jobs: dict[str, dict[str, list[Search]]] = {}
    for run in runs:
        one = _search(run)
        jobs.setdefault(run.job, {}).setdefault(one.problem, []).append(one)
    for job in jobs.values():
        for pair in job.values():
            pair.sort(key=lambda one: one.n)
    search, anytime, alike = (list(jobs[name].values()) for name in ("search", "anytime", "alike"))
    cycles_a_ns = Fraction(chip.core_mhz, 1000)
    speeds = [(one, many, one.time / many.time) for one, many in search]
    return Findings(
        trends={
            "plan-hadd-dominates": _hadd(search, cycles_a_ns),
            "plan-scc-superlinear": _superlinear(speeds),
            "plan-scc-keeps-improving": _improving(speeds),
            "plan-scc-many-unsolved-seq": _unsolved(search),
            "plan-scc-no-corr": _correlation(anytime),
            "plan-scc-no-contention": _contention(alike),
        },
        checks=_checks(search, anytime),
        tables=_tables(speeds, anytime, alike, cycles_a_ns),
        data={"speed": [(str(one.time), str(speed), one.solved and many.solved)
                        for one, many, speed in speeds],
              "cores": search[0][1].n},
    )  # fmt: skip


def _search(run: Run) -> Search:
    alone = "report" not in run.files  # ranks that do not speak: a report each
    n = int(run.values["n"])
    names = [f"report.{rank}" for rank in range(n)] if alone else ["report"]
    reports = [json.loads(run.files[name]) for name in names]
    return Search(
        problem=run.values["problem"],
        n=n,
        limit=Fraction(str(run.values["limit"])),
        report=reports[0],
        ranks=[rank for report in reports for rank in report["ranks"]],
        plan=run.files.get("plan", ""),
    )


def _hadd(search: Sequence[Sequence[Search]], cycles_a_ns: Fraction) -> Answer:
    def shares(which: int) -> list[Fraction]:
        found = [pair[which].hadd(LOOKED_AT % pair[which].n, cycles_a_ns) for pair in search]
        return [share for share in found if share is not None]

    alone, among = shares(0), shares(1)
    most = [sum(share > Fraction(1, 2) for share in group) for group in (alone, among)]
    return Answer(
        all(share > Fraction(1, 2) for share in alone + among),
        f"more than half on {most[0]} of {len(alone)} problems alone, and on {most[1]} of "
        f"{len(among)} for a rank of many; {_percent(min(alone + among))} to "
        f"{_percent(max(alone + among))}, medians {_percent(median(alone))} and "
        f"{_percent(median(among))}",
    )


_Speeds = Sequence[tuple[Search, Search, Fraction]]


def _superlinear(speeds: _Speeds) -> Answer:
    """Of problems that the sequential version solves: others have only a bound."""
    cores = speeds[0][1].n
    found = sorted((speed, one.problem) for one, many, speed in speeds if one.solved)
    slower = [speed for speed, _ in found if speed < 1]
    above = [speed for speed, _ in found if speed > cores]
    return Answer(
        bool(above and slower),
        f"above {cores}: {len(above)} of {len(found)} problems, below 1: {len(slower)}; from "
        f"{float(found[0][0]):.2f} ({found[0][1]}) to {float(found[-1][0]):.1f} ({found[-1][1]})",
    )


def _classes(speeds: _Speeds) -> list[tuple[Fraction, list[Fraction]]]:
    """Least time of the slower version, and the speed-ups of the problems that need it.

    A limit that stands for a plan bounds a speed-up from above or from below, so only problems with
    two plans count. A class with the problems of the one before it is none of its own.
    """
    scale = speeds[0][0].limit / PUBLISHED_LIMIT_S
    both = [(max(one.time, many.time), s) for one, many, s in speeds if one.solved and many.solved]
    found: list[tuple[Fraction, list[Fraction]]] = []
    for least in CLASSES_S:
        group = [speed for time, speed in both if time >= least * scale]
        if group and (not found or len(group) < len(found[-1][1])):
            found.append((least * scale, group))
    return found


def _improving(speeds: _Speeds) -> Answer:
    classes = _classes(speeds)
    middles = [median(group) for _, group in classes]
    enough = len(classes) >= LEAST_CLASSES and all(len(g) >= LEAST_PROBLEMS for _, g in classes)
    return Answer(
        enough and all(a < b for a, b in pairwise(middles)),
        "median speed-up of problems that need at least "
        + ", ".join(
            f"{float(1000 * least):.2g} ms: {float(median(group)):.1f} ({len(group)})"
            for least, group in classes
        ),
    )


def _unsolved(search: Sequence[Sequence[Search]]) -> Answer:
    """With equal limits: those of the job with more cores."""
    limit = search[0][1].limit
    alone = sum(one.time >= limit for one, _ in search)
    among = sum(not many.solved for _, many in search)
    work = sum(not one.solved for one, _ in search)
    return Answer(
        alone > among,
        f"of {len(search)} problems {alone} are unsolved after {float(1000 * limit):g} ms by one "
        f"core, {among} by {search[0][1].n}; {work} by one core in {search[0][1].n} times as long",
    )


def _correlation(anytime: Sequence[Sequence[Search]]) -> Answer:
    pairs = [
        (Fraction(many.total("generated"), one.total("generated")), many.total("bytes"))
        for one, many in anytime
        if one.total("generated")
    ]
    covariance, x, y = _spread(_ranks([a for a, _ in pairs]), _ranks([b for _, b in pairs]))
    told = float(covariance) / float(x * y) ** 0.5 if x and y else 0.0
    return Answer(
        covariance**2 <= MOST_CORRELATION**2 * x * y,
        f"rank correlation {told:.2f} over {len(pairs)} problems, whose speed-up in generated "
        f"nodes is {float(min(pairs)[0]):.1f} to {float(max(pairs)[0]):.1f}",
    )


def _ranks(values: Sequence[Fraction | int]) -> list[Fraction]:
    """From the least to the largest; equal ones share the mean of their ranks."""
    return [
        Fraction(sum(other < one for other in values) + sum(o <= one for o in values) + 1, 2)
        for one in values
    ]


def _spread(a: Sequence[Fraction], b: Sequence[Fraction]) -> tuple[Fraction, Fraction, Fraction]:
    """Sums of products of the deviations: of both, of the first, of the second."""
    middle_a, middle_b = sum(a) / Fraction(len(a)), sum(b) / Fraction(len(b))
    pairs = [(one - middle_a, other - middle_b) for one, other in zip(a, b, strict=True)]
    return (
        sum((p * q for p, q in pairs), Fraction()),
        sum((p * p for p, _ in pairs), Fraction()),
        sum((q * q for _, q in pairs), Fraction()),
    )


def _kept(one: Search, many: Search) -> Fraction:
    """The mean rate of a process among others, as a part of the rate of one alone."""
    return sum((many.rate(rank) for rank in range(many.n)), Fraction()) / many.n / one.rate()


def _contention(alike: Sequence[Sequence[Search]]) -> Answer:
    kept = [_kept(one, many) for one, many in alike]
    return Answer(
        median(kept) >= ALONE,
        f"a process keeps {_percent(median(kept))} of its nodes a second among {alike[0][1].n} "
        f"(median of {len(kept)} problems, {_percent(min(kept))} to {_percent(max(kept))})",
    )


def _checks(
    search: Sequence[Sequence[Search]], anytime: Sequence[Sequence[Search]]
) -> dict[str, Answer]:
    planned = [one for pair in [*search, *anytime] for one in pair if one.solved]
    wrong = [f"{one.problem}: {why}" for one in planned if (why := _wrong(one))]
    reading = [
        Fraction(int(str(one.report["read_ns"])) + int(str(one.report["ground_ns"])), 10**9)
        for pair in search
        for one in pair
    ]
    cores = search[0][1].n
    generated, evaluated = (
        median([p[1].together(name) / p[0].together(name) for p in search if p[0].total(name)])
        for name in ("generated", "evaluated")
    )
    return {
        "each plan is accepted by the validator": Answer(
            bool(planned) and not wrong, "; ".join(wrong) or f"{len(planned)} plans"
        ),
        f"{cores} cores generate {float(LEAST_RATE * cores):g} times the nodes a second of one": (
            Answer(
                generated >= LEAST_RATE * cores,
                f"median {float(generated):.1f} times, and {float(evaluated):.1f} times as many "
                "evaluated",
            )
        ),
        "a rank waits for less than 15 % of the search": _waiting([many for _, many in search]),
        f"reading and grounding take at most {MOST_READING_S} s": Answer(
            max(reading) <= MOST_READING_S, f"at most {float(1000 * max(reading)):.0f} ms"
        ),
    }


def _waiting(searches: Sequence[Search]) -> Answer:
    """Of all, and what is left of it when ranks have work, and where a search is not short."""
    waiting = median([one.waiting for one in searches])
    starved = median([one.starved for one in searches])
    long = [one.waiting for one in searches if not one.solved]
    said = f"; {_percent(median(long))} on the {len(long)} problems that take all of the limit"
    return Answer(
        waiting < MOST_WAITING,
        f"median {_percent(waiting)}, {_percent(starved)} from a rank's first state on"
        + (said if long else ""),
    )


def _wrong(one: Search) -> str:
    """Why the plan is none; empty: it is one."""
    domain, problem = problems.make(one.problem)
    return check(Source("domain", domain), Source("problem", problem), Source("plan", one.plan)).why


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):.0f} %"


def _ms(one: Search) -> str:
    return f"{'' if one.solved else '> '}{float(1000 * one.time):.2f}"


def _tables(
    speeds: _Speeds,
    anytime: Sequence[Sequence[Search]],
    alike: Sequence[Sequence[Search]],
    cycles_a_ns: Fraction,
) -> dict[str, list[list[str]]]:
    n = speeds[0][1].n
    rows = [["problem", "c1, ms", f"c{n}, ms", "speed-up", "nodes c1", f"nodes c{n}",
             "messages", "waiting", "h_add c1", f"h_add rank {LOOKED_AT % n}"]]  # fmt: skip
    for one, many, speed in speeds:
        shares = (one.hadd(0, cycles_a_ns), many.hadd(LOOKED_AT % n, cycles_a_ns))
        bound = {(0, 1): "> ", (1, 0): "< ", (0, 0): "? "}.get((one.solved, many.solved), "")
        rows.append(
            [one.problem, _ms(one), _ms(many), f"{bound}{float(speed):.2f}",
             f"{one.total('evaluated'):,}", f"{many.total('evaluated'):,}",
             f"{many.total('sent'):,}", _percent(many.waiting),
             *("-" if share is None else _percent(share) for share in shares)]
        )  # fmt: skip
    better = [["problem", "plan c1", f"plan c{n}", "generated c1", f"generated c{n}", "bytes"]]
    for one, many in anytime:
        better.append(
            [one.problem, *(str(x.report.get("length", "-")) for x in (one, many)),
             *(f"{x.total('generated'):,}" for x in (one, many)), f"{many.total('bytes'):,}"]
        )  # fmt: skip
    rates = [["problem", "nodes a second alone", f"of each of {n}", "kept"]]
    for one, many in alike:
        kept = _kept(one, many)
        rates.append(
            [one.problem, f"{float(one.rate()):,.0f}", f"{float(one.rate() * kept):,.0f}",
             _percent(kept)]
        )  # fmt: skip
    return {"Until the first plan": rows, "Better plans": better, "Without a word": rates}
