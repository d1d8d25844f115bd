"""Ways to share a search, beside the published one: what each costs (`make planner-options`).

    python systems/planner/options.py [--problems NAME,NAME] [--ranks 48] [--limit 0.02]

Prints a row for each problem and way as soon as it is measured, and medians at the end:

time      ms of the chip's time until the plan; > the limit
speed-up  over one rank; < or > if a limit stands for one of the two
search    nodes evaluated, over those of one rank
sent      states sent to other ranks, of those that were generated
balance   nodes that a rank evaluates on average, over those of the rank with the most
waiting   of all ranks' time; "unfed" is the part of it before a rank's first state
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from rockcreek.planning import job, problems

PROBLEMS = "pegs-12-2,pegs-20-5,hanoi-6-2,storage-5-1"
WAYS: dict[str, dict[str, Any]] = {
    "published": {},
    "--ties 1": {"ties": 1},
    "--portfolio": {"portfolio": True},
    "--owner abstract": {"owner": "abstract"},
    "--batch 4": {"batch": 4},
    "--spread": {"spread": True},
}
COLUMNS = ("time", "speed-up", "search", "sent", "balance", "waiting", "unfed")


def measure(name: str, ranks: int, limit_s: float, folder: Path, way: dict[str, Any]) -> job.Answer:
    """One run on a problem."""
    files = [folder / "domain", folder / "problem"]
    for file, text in zip(files, problems.make(name), strict=True):
        file.write_text(text)
    return job.plan(job.Request(*files, n=ranks, limit_s=limit_s, **way))


def time_ms(answer: job.Answer, limit_s: float) -> float:
    """Until the plan, or the limit."""
    return answer.report["found_ns"] / 1e6 if answer.plan else limit_s * 1000


def numbers(answer: job.Answer, alone: job.Answer, limit_s: float, ranks: int) -> list[float]:
    """A row, in the order of COLUMNS."""
    evaluated = [rank["evaluated"] for rank in answer.report["ranks"]]
    time, whole = time_ms(answer, limit_s), answer.total("search_ns")
    return [
        time,
        time_ms(alone, limit_s * ranks) / time,
        sum(evaluated) / alone.total("evaluated"),
        answer.total("sent") / max(1, answer.total("generated")),
        sum(evaluated) / len(evaluated) / max(evaluated),
        answer.total("waiting_ns") / whole,
        answer.total("unfed_ns") / whole,
    ]


def show(first: str, way: str, row: list[float], note: str = "") -> None:
    """A row of a table in Markdown."""
    cells = [f"{number:.2f}" for number in row]
    print(f"| {first} | {way} | {' | '.join(cells)} |{note}", flush=True)


def main() -> int:
    """All problems, all ways."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problems", default=PROBLEMS)
    parser.add_argument("--ranks", type=int, default=48)
    parser.add_argument("--limit", type=float, default=0.02)
    given = parser.parse_args()
    rows: dict[str, list[list[float]]] = {way: [] for way in WAYS}
    print(f"| problem | way | {' | '.join(COLUMNS)} |\n| --- | --- |{' --: |' * len(COLUMNS)}")
    with tempfile.TemporaryDirectory() as name:
        for problem in given.problems.split(","):
            alone = measure(problem, 1, given.limit * given.ranks, Path(name), {})
            for way, options in WAYS.items():
                answer = measure(problem, given.ranks, given.limit, Path(name), options)
                row = numbers(answer, alone, given.limit, given.ranks)
                rows[way].append(row)
                show(problem, way, row, "" if answer.plan else " no plan within the limit")
    for way, found in rows.items():
        show("median", way, [median(column) for column in zip(*found, strict=True)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
