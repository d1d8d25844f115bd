"""What pages of tests that others wrote have in common: outcomes, and why tests do not pass."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

Result = dict[str, Any]  # test ("suite name"), outcome, said
OUTCOMES = ("passed", "failed", "not built", "not judged")


def reason(result: Result, reasons: list[dict[str, Any]]) -> str | None:
    """Why a test cannot pass, from the table; None: that is not known."""
    suite, _, name = result["test"].partition(" ")
    for row in reasons:
        if row.get("suite", suite) != suite or row.get("test", "") not in name:
            continue
        if "tests" in row and name not in row["tests"]:
            continue
        if row.get("says", "") in result["said"]:
            return str(row["why"])
    return None


def cell(text: str) -> str:
    """Text of a table's cell, without the folders of files.

    >>> cell("a|b of /tmp/x/test.c")
    'a\\\\|b of test.c'
    """
    return re.sub(r"\S*/(?=\S)", "", text).replace("|", "\\|")[:160]


def table_of(suites: dict[str, dict[str, Any]], results: list[Result], total: int) -> list[str]:
    """Counts by suite and outcome; `total` tests are to be run."""
    lines = ["", f"| suite | tests | {' | '.join(OUTCOMES)} |", "| --- " + "| --: " * 5 + "|"]
    for name, suite in suites.items():
        mine = [one for one in results if one["test"].startswith(f"{name} ")]
        count = Counter(one["outcome"] for one in mine)
        cells = " | ".join(str(count[outcome]) for outcome in OUTCOMES)
        lines.append(f"| {name}: {suite['title']} | {len(mine)} | {cells} |")
    if total > len(results):
        lines += ["", f"{total - len(results)} more have not been run yet."]
    return lines


def explain(
    results: list[Result],
    why: Callable[[Result], str | None],
    name: Callable[[Result], str],
    columns: dict[str, Callable[[Result], str]],
) -> tuple[list[str], list[Result]]:
    """The sections on what did not pass: `name` is how a test is listed under its reason, `columns`
    are those of the table of the others. Beside the lines: the results without a reason.
    """
    known: dict[str, list[str]] = defaultdict(list)
    unknown = []
    for one in [one for one in results if one["outcome"] != "passed"]:
        reason = why(one)
        if reason:
            known[reason].append(name(one))
        else:
            unknown.append(one)
    lines = ["", "## Why tests do not pass", ""]
    for reason, names in sorted(known.items(), key=lambda item: -len(item[1])):
        lines.append(f"- {reason} ({len(names)}): {', '.join(sorted(names))}")
    lines += ["", "## Not explained", ""]
    if unknown:
        lines += [f"| {' | '.join(columns)} |", f"| {' | '.join('---' for _ in columns)} |"]
        lines += [f"| {' | '.join(of(one) for of in columns.values())} |" for one in unknown]
    else:
        lines.append("None.")
    return lines, unknown
