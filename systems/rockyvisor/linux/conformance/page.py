"""The page of `make smp-conformance`: docs/smp-conformance.md."""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[4]
PAGE = ROOT / "docs/smp-conformance.md"
OUTCOMES = ("passed", "failed", "not built", "not judged")
HEAD = """\
# Tests of threads and processes, in one Linux on four cores

Written by `make smp-conformance`: each test is built by `rck cc -pthread=core` and run unmodified
by `rck smp -n 4`, many in one boot. It passes if it ends with exit code 0. What has failed also
runs natively, as a user without rights. Packages: {packages}.
The last runs of all tests lie between {dates}, at {commits}.
"""


def today() -> str:
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def reason(result: dict[str, Any], reasons: list[dict[str, Any]]) -> str | None:
    """Why it does not pass, from the table; None: that is not known."""
    name = result["test"].partition(" ")[2]
    for row in reasons:
        if name in row.get("tests", [name]) and row.get("says", "") in result["said"]:
            return str(row["why"])
    code = result["code"] if result.get("how") == "exit" else -result["code"]
    if result.get("native") == f"exit code {code}":
        return "natively they end in the same way: the test itself, or musl"
    return None


def said(result: dict[str, Any]) -> str:
    """How it ended, and the line of its output that explains most."""
    lines = [line.strip() for line in result["said"].splitlines() if line.strip()]
    told = [line for line in lines if "error: " in line or "undefined symbol" in line]
    line = told[0] if told else lines[-1] if lines else "no word"
    how = f"{result['how']} {result['code']}: " if "how" in result else ""
    return (how + line.replace(f"{ROOT}/", "")).replace("|", "\\|")[:160]


def write(table: dict[str, Any], results: list[dict[str, Any]], total: int) -> int:
    """Writes the page; 1 if a test failed without a reason that is known."""
    packages = sorted({suite["package"] for suite in table["suite"].values()})
    named = [table["package"][name] for name in packages]
    days = sorted({one["date"] for one in results})
    lines = HEAD.format(
        packages=", ".join(f"{one['name']} {one['version']} ({one['licence']})" for one in named),
        dates=f"{days[0]} and {days[-1]}",
        commits=", ".join(sorted({one["commit"] for one in results})),
    ).splitlines()
    lines += ["", f"| suite | tests | {' | '.join(OUTCOMES)} |", "| --- " + "| --: " * 5 + "|"]
    for name, suite in table["suite"].items():
        count = Counter(one["outcome"] for one in results)
        cells = " | ".join(str(count[outcome]) for outcome in OUTCOMES)
        lines.append(f"| {name}: {suite['title']} | {len(results)} | {cells} |")
    failed = [one for one in results if one["outcome"] == "failed"]
    alone = sorted(one["test"] for one in failed if one["native"] == "passed")
    lines += ["", f"Natively {len(alone)} of the {len(failed)} pass that failed here"
              + (f": {', '.join(alone)}." if alone else ".")]  # fmt: skip
    if total > len(results):
        lines += ["", f"{total - len(results)} more have not been run yet."]
    known: dict[str, list[str]] = defaultdict(list)
    unknown = []
    for one in results:
        why = reason(one, table["reason"])
        if one["outcome"] != "passed" and why:
            known[why].append(f"{one['test']} ({one['outcome']})")
        elif one["outcome"] != "passed":
            unknown.append(one)
    lines += ["", "## Why tests do not pass", ""]
    for why, names in sorted(known.items(), key=lambda item: -len(item[1])):
        lines.append(f"- {why} ({len(names)}): {', '.join(sorted(names))}")
    lines += ["", "## Not explained", ""]
    if unknown:
        lines += ["| test | outcome | natively | what it said |", "| --- | --- | --- | --- |"]
        lines += [
            f"| {one['test']} | {one['outcome']} | {one.get('native', '')} | {said(one)} |"
            for one in unknown
        ]
    else:
        lines.append("None.")
    PAGE.write_text("\n".join([*lines, ""]))
    return int(any(one["outcome"] == "failed" for one in unknown))
