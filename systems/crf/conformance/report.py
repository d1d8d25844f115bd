"""The page of `make threads-conformance`: docs/threads-conformance.md."""

from __future__ import annotations

import datetime
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[3] / "docs/threads-conformance.md"
OUTCOMES = ("passed", "failed", "not built", "not judged")
HEAD = """\
# Tests of threads that others wrote

Written by `make threads-conformance`: each test is built by `rck cc` and run on four cores, its
threads over commit and reconcile. It passes if it ends with exit code 0, within {patience} s of the
host (earlier runs: 120 s). Packages:
{packages}.
The last runs of all tests lie before or on {date}, at {commits}.
"""
# Clang's and the linker's words, without the names of temporary files.
_TOLD = re.compile(r"error: (.*)|undefined symbol: (\S+)")


def reason(result: dict[str, Any], reasons: list[dict[str, Any]]) -> str | None:
    """Why it cannot pass, from the table; None: that is not known."""
    suite, _, name = result["test"].partition(" ")
    for row in reasons:
        if row.get("suite", suite) != suite or row.get("test", "") not in name:
            continue
        if "tests" in row and name not in row["tests"]:
            continue
        if row.get("says", "") in result["said"]:
            return str(row["why"])
    return None


def said(result: dict[str, Any]) -> str:
    """The line of its output that explains most."""
    lines = [line.strip() for line in result["said"].splitlines() if line.strip()]
    if result["code"] is None or not lines:
        return f"exit code {result['code']}" if lines else "had not ended"
    told = [line for line in lines if _TOLD.search(line) and "errors generated" not in line]
    line = (told or lines)[0 if told else -1]
    line = re.sub(r"\S*/(?=\S)", "", line)
    return line.replace("|", "\\|")[:140]


def write(table: dict[str, Any], results: list[dict[str, Any]], total: int, patience: int) -> int:
    """Writes the page; 1 if a test failed without a reason that is known."""
    packages = [
        f"{one['name']} {one['version']} ({one['licence']})" for one in table["package"].values()
    ]
    commits = sorted({one["commit"] for one in results})
    lines = HEAD.format(
        packages=", ".join(packages), patience=patience, commits=", ".join(commits),
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
    ).splitlines()  # fmt: skip
    lines += ["", f"| suite | tests | {' | '.join(OUTCOMES)} |", "| --- " + "| --: " * 5 + "|"]
    for name, suite in table["suite"].items():
        mine = [one for one in results if one["test"].startswith(f"{name} ")]
        count = Counter(one["outcome"] for one in mine)
        cells = " | ".join(str(count[outcome]) for outcome in OUTCOMES)
        lines.append(f"| {name}: {suite['title']} | {len(mine)} | {cells} |")
    if total > len(results):
        lines += ["", f"{total - len(results)} more have not been run yet."]
    known: dict[str, list[str]] = defaultdict(list)
    unknown = []
    for one in results:
        if one["outcome"] == "passed":
            continue
        why = reason(one, table["reason"])
        if why:
            known[why].append(one["test"])
        else:
            unknown.append(one)
    lines += ["", "## Why tests do not pass", ""]
    for why, names in sorted(known.items(), key=lambda item: -len(item[1])):
        lines.append(f"- {why} ({len(names)}): {', '.join(sorted(names))}")
    lines += ["", "## Not explained", ""]
    if unknown:
        lines += ["| test | outcome | what it said |", "| --- | --- | --- |"]
        lines += [f"| {one['test']} | {one['outcome']} | {said(one)} |" for one in unknown]
    else:
        lines.append("None.")
    PAGE.write_text("\n".join([*lines, ""]))
    return int(any(one["outcome"] == "failed" for one in unknown))
