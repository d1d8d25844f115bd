"""The results of `make bare-metal`: the generated section of docs/conformance.md."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

from programs import ROOT
from report import tree

RESULTS = Path(__file__).with_name("kernels.json")
DOCUMENT = ROOT / "docs" / "conformance.md"
BEGIN = "<!-- begin: written by make bare-metal -->\n"
END = "<!-- end: written by make bare-metal -->\n"


def record(name: str, kernel: dict[str, Any], package: dict[str, Any], outcome: Any) -> None:
    """Put a kernel's result into kernels.json and the document."""
    results = json.loads(RESULTS.read_text()) if RESULTS.is_file() else {}
    results[name] = {
        "title": kernel["title"],
        "package": f"{package['name']} {package['version']}",
        "passed": outcome.passed,
        "why": outcome.why,
        "instructions": outcome.instructions,
        "simulated_s": round(outcome.simulated_s, 3),
        "commit": tree(),
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
    }
    RESULTS.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    text = DOCUMENT.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    DOCUMENT.write_text(before + BEGIN + "".join(section(results)) + END + after, "utf-8")


def section(results: dict[str, Any]) -> list[str]:
    lines = [
        "| kernel | package | result | instructions | simulated | commit | date |\n",
        "| --- | --- | --- | --- | --- | --- | --- |\n",
    ]
    for entry in results.values():
        result = "passed" if entry["passed"] else f"failed: {entry['why']}"
        lines.append(
            f"| {entry['title']} | {entry['package']} | {result} | {entry['instructions']:,}"
            f" | {entry['simulated_s']} s | {entry['commit']} | {entry['date']} |\n"
        )
    return lines
