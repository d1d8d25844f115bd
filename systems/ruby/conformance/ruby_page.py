"""The page of `make ruby-conformance`: docs/ruby-conformance.md."""

from __future__ import annotations

import datetime
import re
import tomllib
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/ruby-conformance.md"
OUTCOMES = ("passed", "failed", "not ended", "skipped")
HEAD = """\
# Ruby's own tests

Written by `make ruby-conformance`: tests of {package}, from the
source package that `make ruby` builds, on one core. basictest is one program. Each snippet of
bootstraptest is loaded by an interpreter of its own, which the unmodified runner of the tests
restores on the host from a snapshot of a started one. A file of test/ runs in one start; after a
test that ended the interpreter another one begins. A start may take {start} s of the host, a file
{file} s, or less with `--file-s`: what is left then is told as `the rest`. `skipped` is the test's
own word. Of Ruby's benchmarks those of threads run, and those that were published for the chip (all
but erb, which is no program of its own); they pass if they end. The page is of {date};
[the last table](#at-which-commit) says at which commit each file ran.
"""
SEVERAL = """\
Files with several commits ran at one of them; which one was not kept. `+`: with changes that were
not committed."""
COUNTS = """\
These are the programs of 2022. Some count further than those that were published (factorial 100
times, 8 there); [the study](fidelity/ruby.md) counts as far."""
Row = dict[str, Any]


def reason(suite: str, file: str, test: Row, table: list[Row]) -> str | None:
    """Why it does not pass, from the table; None: that is not known."""
    for row in table:
        if "file" in row and not re.search(row["file"], f"{suite}/{file}"):
            continue
        if "test" in row and not re.search(row["test"], test["test"]):
            continue
        if re.search(row.get("says", ""), test["said"]):
            return str(row["why"])
    return None


def cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("|", "\\|").replace("<", "&lt;").strip()[:160]


def counts(units: list[Row]) -> Counter[str]:
    return Counter(test["outcome"] for unit in units for test in unit["tests"])


def by_suite(units: list[Row], total: int) -> list[str]:
    suites: dict[str, list[Row]] = defaultdict(list)
    for unit in units:
        suites[unit["suite"]].append(unit)
    lines = [f"| suite | files | tests | {' | '.join(OUTCOMES)} |", "| --- " + "| --: " * 6 + "|"]
    for suite, mine in suites.items():
        count = counts(mine)
        numbers = [len(mine), sum(count.values()), *(count[outcome] for outcome in OUTCOMES)]
        lines.append(f"| {suite} | {' | '.join(map(str, numbers))} |")
    if total > len(units):
        lines += ["", f"{total - len(units)} more files have not been run yet."]
    return lines


def commits(units: list[Row]) -> list[str]:
    """Which files ran at which commit: a whole suite by its name, else file by file."""
    sizes = Counter(unit["suite"] for unit in units)
    ran: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for unit in units:
        ran[unit["commit"]][unit["suite"]].append(unit["file"].removesuffix(".rb"))
    lines = ["", "## At which commit", "", SEVERAL, "", "| commit | files |", "| --- | --- |"]
    for commit, suites in ran.items():
        told = [
            f"{suite}: {'all above' if len(names) == sizes[suite] else ', '.join(names)}"
            for suite, names in suites.items()
        ]
        lines.append(f"| {commit} | {'; '.join(told)} |")
    return lines


def benchmarks(units: list[Row], published: Row) -> list[str]:
    """The chip's times, of programs of 2022; the published ones are of 2011."""
    tests = [test for unit in units for test in unit["tests"]]
    known = {one["test"]: one["said"] for one in tests if one["outcome"] == "passed"}
    lines = ["", "## Benchmarks", "", COUNTS, ""]
    lines += ["| benchmark | here | published |", "| --- | --: | --: |"]
    for unit in units:
        name = unit["file"].removesuffix(".rb")
        if unit["suite"] == "benchmark":
            of_old = published.get({"app_answer": "ackerman"}.get(name, name[len("app_") :]))
            lines.append(f"| {name} | {known.get(name, '-')} | {f'{of_old} s' if of_old else ''} |")
    return lines


def write(package: str, units: list[Row], total: int, table: list[Row], limits: Row) -> int:
    """Writes the page; the number of tests that did not pass without a reason that is known."""
    lines = HEAD.format(
        package=package, date=datetime.datetime.now(datetime.UTC).date().isoformat(), **limits,
    ).splitlines()  # fmt: skip
    lines += ["", *by_suite(units, total)]
    known: Counter[str] = Counter()
    files: list[str] = []
    unknown: list[str] = []
    for unit in units:
        whys: Counter[str] = Counter()
        name = unit["file"].removesuffix(".rb")
        for test in unit["tests"]:
            if test["outcome"] in ("passed", "skipped"):
                continue
            why = reason(unit["suite"], unit["file"], test, table)
            whys[why or "not explained"] += 1
            if why is None:
                unknown.append(
                    f"| {unit['suite']}/{name} | {cell(test['test'])} | {cell(test['said'])} |"
                )
        known.update(whys)
        if whys:
            told = ", ".join(f"{why.partition(':')[0]} {count}" for why, count in whys.items())
            passed = counts([unit])["passed"]
            files.append(f"| {unit['suite']}/{name} | {passed} of {len(unit['tests'])} | {told} |")
    lines += ["", "## Why tests do not pass", "", "| reason | tests |", "| --- | --: |"]
    lines += [f"| {why} | {count} |" for why, count in known.most_common()]
    lines += ["", "## Files with tests that do not pass", ""]
    lines += ["| file | passed | others |", "| --- | --: | --- |", *files]
    lines += ["", "## Not explained", ""]
    if unknown:
        lines += ["| file | test | what it said |", "| --- | --- | --- |", *unknown]
    else:
        lines.append("None.")
    table_ii = ROOT / "experiments/published/marc-2011.toml"
    lines += benchmarks(units, tomllib.loads(table_ii.read_text())["ruby-table2"]["value"])
    lines += commits(units)
    PAGE.write_text("\n".join([*lines, ""]))
    return len(unknown)
