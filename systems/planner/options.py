"""Ways to share a search, beside the published one: what each costs (`make planner-options`).

    python systems/planner/options.py [--problems NAME,NAME] [--ranks 48] [--limit 0.025]

Each finished run is kept in out/planner/options by its program, problem and way, so an interrupted
measurement goes on from there. At the end, systems/planner/options.md has the tables (--table FILE:
another one). `COLUMNS` says what they hold.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from rockcreek.planning import job, problems

HERE = Path(__file__).resolve().parent
KEPT = HERE.parents[1] / "out" / "planner" / "options"
# Problems of the study that one core and 48 both solve soon, but not by the first lookahead alone.
PROBLEMS = "blocks-15-2,depots-7-1,hanoi-6-2,pegs-12-2,pegs-16-3,pegs-16-5,puzzle-3-2,storage-5-1"
WAYS: dict[str, dict[str, Any]] = {
    "published": {},
    "--ties 1": {"ties": 1},
    "--portfolio": {"portfolio": True},
    "--owner abstract": {"owner": "abstract"},
    "--batch 4": {"batch": 4},
    "--spread": {"spread": True},
}
COLUMNS = {
    "time": "ms of the chip's time until the plan, or until the limit",
    "speed-up": "over one core",
    "search": "overhead of search: nodes evaluated, over those of one core",
    "sent": "overhead of communication: states sent to other ranks, of those that were generated",
    "balance": "of load: nodes that a rank evaluates on average, over those of the rank with most",
    "evaluated": "nodes evaluated a second, over those of one core",
    "generated": "nodes generated a second, over those of one core",
    "waiting": "of all ranks' time",
    "unfed": "the part of it before a rank's first state",
}
INTRODUCTION = """# Ways to share a search

What the options of `rck plan` cost, on {ranks} ranks and {problems} problems of the study: each
number is the median over the problems. `--ties 1` is the published way with another order among
equal states, and so shows what chance alone moves. Written by `make planner-options`, at commit
{commit} on {date}; a search had {limit:g} ms, one core {ranks} times as long.
"""


@dataclass(frozen=True)
class Setting:
    """What all runs have in common."""

    ranks: int
    limit_s: float  # one core has `ranks` times as long


def measured(name: str, way: str, setting: Setting) -> Mapping[str, Any]:
    """The planner's report of a run that was kept, or that is made now; way "": one core."""
    program = hashlib.sha256(job.program_path().read_bytes()).hexdigest()
    what = f"{program} {problems.make(name)} {WAYS.get(way)} {setting}"
    kept = KEPT / f"{hashlib.sha256(what.encode()).hexdigest()[:24]}.json"
    if not kept.is_file():
        report = run(name, way, setting)
        KEPT.mkdir(parents=True, exist_ok=True)
        kept.with_suffix(".part").write_text(json.dumps(report), encoding="utf-8")
        kept.with_suffix(".part").rename(kept)
    found: Mapping[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
    return found


def run(name: str, way: str, setting: Setting) -> Mapping[str, Any]:
    """The planner's report of one run."""
    n, longer = (setting.ranks, 1) if way else (1, setting.ranks)
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / "domain", Path(folder) / "problem"]
        for file, text in zip(files, problems.make(name), strict=True):
            file.write_text(text)
        limit_s = setting.limit_s * longer
        request = job.Request(*files, n=n, limit_s=limit_s, **WAYS.get(way, {}))
        return job.plan(request).report


def total(report: Mapping[str, Any], name: str) -> int:
    """A count over all ranks."""
    return sum(rank[name] for rank in report["ranks"])


def rate(report: Mapping[str, Any], name: str) -> float:
    """A count of all ranks, by ns of the search."""
    return total(report, name) / max(rank["search_ns"] for rank in report["ranks"])


def numbers(many: Mapping[str, Any], one: Mapping[str, Any], setting: Setting) -> list[float]:
    """A row, in the order of COLUMNS."""
    evaluated = [rank["evaluated"] for rank in many["ranks"]]
    limit_ns = setting.limit_s * 1e9
    time, alone = many.get("found_ns", limit_ns), one.get("found_ns", limit_ns * setting.ranks)
    return [
        time / 1e6,
        alone / time,
        total(many, "evaluated") / total(one, "evaluated"),
        total(many, "sent") / max(1, total(many, "generated")),
        sum(evaluated) / len(evaluated) / max(evaluated),
        *(rate(many, name) / rate(one, name) for name in ("evaluated", "generated")),
        *(total(many, name) / total(many, "search_ns") for name in ("waiting_ns", "unfed_ns")),
    ]


def table(first: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """In Markdown; the first column is words, the others are numbers."""
    lines = [first, ["---", *["--:"] * (len(first) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def page(names: Sequence[str], setting: Setting) -> str:
    """All tables; measures what is not kept yet."""
    rows: dict[str, list[list[float]]] = {way: [] for way in WAYS}
    for name in names:
        one = measured(name, "", setting)
        for way, found in rows.items():
            found.append(numbers(measured(name, way, setting), one, setting))
            print(f"{name}, {way}: {found[-1][0]:.2f} ms", file=sys.stderr, flush=True)
    git = ["git", "rev-parse", "--short=12", "HEAD"]
    commit = subprocess.run(git, cwd=HERE, capture_output=True, text=True, check=True).stdout
    times = [
        [name, *(_time(measured(name, way, setting), setting) for way in ("", *WAYS))]
        for name in names
    ]
    middles = [
        [_shown(way), *(f"{median(column):.2f}" for column in zip(*found, strict=True))]
        for way, found in rows.items()
    ]
    parts = [
        INTRODUCTION.format(
            ranks=setting.ranks,
            problems=len(names),
            commit=commit.strip(),
            date=datetime.now(UTC).date(),
            limit=setting.limit_s * 1000,
        ),
        table(["way", *COLUMNS], middles),
        "".join(f"* {name}: {what}\n" for name, what in COLUMNS.items()),
        "Time by problem, in ms; `>`: no plan within the limit.\n",
        table(["problem", "one core", *map(_shown, WAYS)], times),
    ]
    return "\n".join(parts)


def _shown(way: str) -> str:
    return f"`{way}`" if way.startswith("--") else way


def _time(report: Mapping[str, Any], setting: Setting) -> str:
    if "found_ns" in report:
        return f"{report['found_ns'] / 1e6:.2f}"
    longer = setting.ranks if len(report["ranks"]) == 1 else 1
    return f"> {setting.limit_s * longer * 1000:g}"


def main() -> int:
    """All problems, all ways."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problems", default=PROBLEMS)
    parser.add_argument("--ranks", type=int, default=48)
    parser.add_argument("--limit", type=float, default=0.025, help="seconds of the chip")
    parser.add_argument("--table", type=Path, default=HERE / "options.md")
    given = parser.parse_args()
    text = page(given.problems.split(","), Setting(given.ranks, given.limit))
    given.table.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
