"""The page of `make linux-busybox`: docs/linux-busybox.md."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/linux-busybox.md"
OUTCOMES = ("passed", "failed", "not ended", "skipped")
HEAD = """\
# busybox's own tests under Linux

Written by `make linux-busybox` on {date}, from runs at commit {commits}: the tests of
{package}, from the source package that `make linux` builds.
Each program's tests ran on core 0 under Linux, and on the host with the same file of busybox.
`skipped` is the tests' own word: what busybox was built without. The tests of one program may take
{limit} s of the host on a core. [systems/linux](../systems/linux/README.md) describes this Linux.
"""
Row = dict[str, Any]


def reason(program: str, test: Row, table: list[Row]) -> str | None:
    """Why it does not pass, from the table; None: that is not known."""
    for row in table:
        if re.fullmatch(row.get("program", ".*"), program) is None:
            continue
        if re.search(row.get("test", ""), test["test"]) is None:
            continue
        if re.search(row.get("says", ""), test["said"]):
            return str(row["why"])
    return None


def cell(text: str) -> str:
    """Text of a table's cell.

    >>> cell("a|b  c")
    'a\\\\|b c'
    """
    escaped = re.sub(r"\s+", " ", text).replace("|", "\\|").replace("<", "&lt;")
    return escaped.strip()[:160]


def of_host(result: Row, test: Row) -> str:
    """What the host said of a core's test; a name may stand for several."""
    found = [one["outcome"] for one in result["host"] if one["test"] == test["test"]]
    return next((one for one in found if one != "passed"), found[0] if found else "did not run")


def table_of(results: list[Row]) -> list[str]:
    lines = [f"| where | tests | {' | '.join(OUTCOMES)} |", "| --- " + "| --: " * 5 + "|"]
    for where, name in (("on core 0", "core"), ("on the host", "host")):
        count = Counter(test["outcome"] for one in results for test in one[name])
        numbers = [sum(count.values()), *(count[outcome] for outcome in OUTCOMES)]
        lines.append(f"| {where} | {' | '.join(map(str, numbers))} |")
    return lines


def failures(results: list[Row], table: list[Row]) -> tuple[list[str], int]:
    """A line for each test that did not pass on the core; how many have no known reason."""
    lines, unknown = [], 0
    for one in results:
        for test in one["core"]:
            if test["outcome"] in ("passed", "skipped"):
                continue
            host, why = of_host(one, test), reason(one["program"], test, table)
            if why is None and host == test["outcome"]:
                why = "as on the host, by the same program"
            elif why is None:
                unknown += 1
                why = f"not explained: {test['said']}"
            told = (one["program"], test["test"], host, why)
            lines.append(f"| {' | '.join(map(cell, told))} |")
    return lines, unknown


def text(package: str, results: list[Row], left: int, table: list[Row], limit: int) -> str:
    """The whole page."""
    lines = HEAD.format(
        package=package, limit=limit, commits=", ".join(sorted({one["commit"] for one in results})),
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
    ).splitlines()  # fmt: skip
    lines += ["", *table_of(results)]
    if left:
        lines += ["", f"The tests of {left} more programs have not been run yet."]
    lines += ["", "## Tests that do not pass on a core", ""]
    told, _ = failures(results, table)
    if told:
        lines += ["| program | test | on the host | why |", "| --- | --- | --- | --- |", *told]
    else:
        lines.append("None.")
    return "\n".join([*lines, ""])
