"""The page of `make mpi-conformance`: docs/mpi-conformance.md."""

from __future__ import annotations

import datetime
from collections import Counter
from pathlib import Path
from typing import Any

from lists import Case

PAGE = Path(__file__).resolve().parents[3] / "docs/mpi-conformance.md"
HEAD = """\
# MPICH's own tests

Written by `make mpi-conformance`: the C part of MPICH {version}'s test suite (`test/mpi` of its
source package), compiled by `rck mpicc`, run by `rck mpirun` on 1 to {ranks} cores with the default
channel. A test passes if it says "No Errors" and ends with exit code 0, or as its list says
otherwise (`resultTest`). {seconds} s of host time are the limit of a run, or what the list allows.
Last runs: {date}, at {commit}.

Not in it: threads (not run), Fortran and C++ bindings (not built),
partitioned communication (MPICH's device ch3 does not have it), fault tolerance and checkpoints (of
the process manager Hydra).
"""


def universe(folder: str, suite: dict[str, Any]) -> list[str]:
    """Options of `rck mpirun` that the tests of a folder need."""
    return list(suite.get("options", {}).get(folder, []))


def reason(case: Case, suite: dict[str, Any]) -> str:
    """What is known of a test that fails."""
    table = suite["reasons"]
    short = f"{case.folder}/{case.program}"
    for key in (case.name, f"{short} {case.ranks}", short):
        if key in table:
            return str(table[key])
    if case.expected_to_fail:
        return f"MPICH's list expects it to fail ({case.expected_to_fail})"
    return ""


def write(everything: list[Case], known: dict[str, Any], suite: dict[str, Any], at: str) -> None:
    """Writes the page."""
    rows = [(case, known[case.name]) for case in everything if case.name in known]
    date = datetime.datetime.now(datetime.UTC).date().isoformat()
    lines = HEAD.format(version="4.0.2", ranks=suite["most_ranks"], seconds=suite["seconds"],
                        date=date, commit=at).splitlines()  # fmt: skip
    lines += ["", "| in | tests | passed | failed | not run |", "| --- | --: | --: | --: | --: |"]
    folders = sorted({case.folder.split("/")[0] for case, _ in rows})
    total: Counter[str] = Counter()
    for folder in folders:
        count = Counter(one["outcome"] for case, one in rows if case.folder.split("/")[0] == folder)
        total += count
        lines.append(_row(folder, count))
    lines.append(_row("all", total))
    missing = len(everything) - len(rows)
    if missing:
        lines += ["", f"{missing} more tests of the lists have not been run yet."]
    lines += _section("Failed", rows, "failed", suite)
    lines += _section("Not run", rows, "not run", suite)
    lines += ["", "## Passed", ""]
    for folder in sorted({case.folder for case, _ in rows}):
        names = [
            f"{case.program} {case.ranks}"
            for case, one in rows
            if case.folder == folder and one["outcome"] == "passed"
        ]
        if names:
            lines.append(f"- {folder}: {', '.join(names)}")
    PAGE.write_text("\n".join([*lines, ""]))


def _row(name: str, count: Counter[str]) -> str:
    cells = [sum(count.values()), count["passed"], count["failed"], count["not run"]]
    return f"| {name} | {' | '.join(map(str, cells))} |"


def _section(title: str, rows: list[Any], outcome: str, suite: dict[str, Any]) -> list[str]:
    chosen = [(case, one) for case, one in rows if one["outcome"] == outcome]
    if not chosen:
        return []
    lines = [
        "",
        f"## {title}",
        "",
        "| test | ranks | what happened | why |",
        "| --- | --: | --- | --- |",
    ]
    for case, one in chosen:
        words = " ".join(case.name.split()[2:])
        name = f"{case.folder}/{case.program}" + (f" {words}" if words else "")
        happened = one["why"].replace("|", "/").replace("\n", " ")[:160]
        lines.append(f"| {name} | {case.ranks} | {happened} | {reason(case, suite)} |")
    return lines
