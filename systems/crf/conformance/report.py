"""The page of `make threads-conformance`: docs/threads-conformance.md."""

from __future__ import annotations

import datetime
import re
from pathlib import Path
from typing import Any

from scripts.conformance_page import cell, explain, reason, table_of

PAGE = Path(__file__).resolve().parents[3] / "docs/threads-conformance.md"
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


def said(result: dict[str, Any]) -> str:
    """The line of its output that explains most."""
    lines = [line.strip() for line in result["said"].splitlines() if line.strip()]
    if result["code"] is None or not lines:
        return f"exit code {result['code']}" if lines else "had not ended"
    told = [line for line in lines if _TOLD.search(line) and "errors generated" not in line]
    return cell((told or lines)[0 if told else -1])


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
    lines += table_of(table["suite"], results, total)
    told, unknown = explain(
        results,
        lambda one: reason(one, table["reason"]),
        lambda one: str(one["test"]),
        {
            "test": lambda one: str(one["test"]),
            "outcome": lambda one: str(one["outcome"]),
            "what it said": said,
        },
    )
    lines += told
    PAGE.write_text("\n".join([*lines, ""]))
    return int(any(one["outcome"] == "failed" for one in unknown))
