"""The page of `make smp-conformance`: docs/smp-conformance.md."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

from scripts.conformance_page import cell, explain, reason, table_of

PAGE = Path(__file__).resolve().parents[4] / "docs/smp-conformance.md"
HEAD = """\
# Tests of threads and processes, in one Linux on four cores

Written by `make smp-conformance`: each test is built by `rck cc -pthread=core` and run unmodified
by `rck smp -n 4`, many in one boot. It passes if it ends with exit code 0. What has failed also
runs natively, as a user without rights. Packages: {packages}.
The last runs of all tests lie between {dates}, at {commits}.
"""


def today() -> str:
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def why(result: dict[str, Any], reasons: list[dict[str, Any]]) -> str | None:
    """Why a test does not pass; None: that is not known."""
    code = result["code"] if result.get("how") == "exit" else -result["code"]
    alike = result.get("native") == f"exit code {code}"
    told = "natively they end in the same way: the test itself, or musl" if alike else None
    return reason(result, reasons) or told


def said(result: dict[str, Any]) -> str:
    """How it ended, and the line of its output that explains most."""
    lines = [line.strip() for line in result["said"].splitlines() if line.strip()]
    told = [line for line in lines if "error: " in line or "undefined symbol" in line]
    line = told[0] if told else lines[-1] if lines else "no word"
    how = f"{result['how']} {result['code']}: " if "how" in result else ""
    return cell(how + line)


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
    lines += table_of(table["suite"], results, total)
    failed = [one for one in results if one["outcome"] == "failed"]
    alone = sorted(one["test"] for one in failed if one["native"] == "passed")
    lines += ["", f"Natively {len(alone)} of the {len(failed)} pass that failed here"
              + (f": {', '.join(alone)}." if alone else ".")]  # fmt: skip
    told, unknown = explain(
        results,
        lambda one: why(one, table["reason"]),
        lambda one: f"{one['test']} ({one['outcome']})",
        {
            "test": lambda one: str(one["test"]),
            "outcome": lambda one: str(one["outcome"]),
            "natively": lambda one: str(one.get("native", "")),
            "what it said": said,
        },
    )
    lines += told
    PAGE.write_text("\n".join([*lines, ""]))
    return int(any(one["outcome"] == "failed" for one in unknown))
