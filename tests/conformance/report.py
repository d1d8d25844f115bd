"""The results: a summary for the terminal, and the generated section of docs/conformance.md.

Each complete run of a suite replaces the suite's entry in results.json; the section is written
anew from all entries.
"""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

from programs import ROOT, Tally
from rockcreek.repro.checkout import commit

RESULTS = Path(__file__).with_name("results.json")
DOCUMENT = ROOT / "docs" / "conformance.md"
BEGIN = "<!-- begin: written by make conformance -->\n"
END = "<!-- end: written by make conformance -->\n"


def summary(name: str, tally: Tally) -> str:
    """One suite in one paragraph, for the terminal."""
    lines = [
        (
            f"{name}: {len(tally.verdicts):,} programs: {tally.count('passed'):,} passed"
            f" ({tally.failed_on_both:,} of them end with an error natively too),"
            f" {tally.count('known'):,} known differences,"
            f" {tally.count('different'):,} different, {tally.count('skipped'):,} skipped;"
            f" {tally.instructions:,} instructions, {tally.seconds:,.0f} s"
        )
    ]
    lines += [f"    {count:5} {why}" for why, count in sorted_reasons(tally)[:25]]
    return "\n".join(lines)


def sorted_reasons(tally: Tally) -> list[tuple[str, int]]:
    """Why programs were skipped, the most frequent reason first."""
    return sorted(tally.reasons().items(), key=lambda item: (-item[1], item[0]))


def record(name: str, suite: dict[str, Any], package: dict[str, Any], tally: Tally) -> None:
    """Put a suite's result into results.json and the document."""
    results = json.loads(RESULTS.read_text()) if RESULTS.is_file() else {}
    results[name] = {
        "title": suite["title"],
        "package": f"{package['name']} {package['version']}",
        "registry": package["registry"],
        "licence": package["licence"],
        "variants": _variants(suite),
        "programs": len(tally.verdicts),
        "passed": tally.count("passed"),
        "failed_natively_too": tally.failed_on_both,
        "known": {
            why: sum(v.why == why for v in tally.verdicts if v.outcome == "known")
            for why in sorted({v.why for v in tally.verdicts if v.outcome == "known"})
        },
        "different": tally.count("different"),
        "skipped": _grouped(tally),
        "instructions": tally.instructions,
        "seconds": round(tally.seconds),
        "commit": tree(),
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
    }
    RESULTS.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    write_document(results)


def _variants(suite: dict[str, Any]) -> str:
    compilers = {"clang": "`rck cc`", "gcc": "GCC for i586"}
    names = " and ".join(compilers[name] for name in suite.get("compilers", ["clang"]))
    return f"{names}, {' '.join(suite.get('levels', ['-O2']))}"


def _grouped(tally: Tally) -> dict[str, int]:
    """The reasons without the compiler's words on each program."""
    found: dict[str, int] = {}
    for why, count in tally.reasons().items():
        kind = why.partition(": ")[0]
        found[kind] = found.get(kind, 0) + count
    return dict(sorted(found.items()))


def tree() -> str:
    """The commit of this checkout, with + if what runs has changed since."""
    return commit(ROOT, "crates", "guest", "python", "machine")


def write_document(results: dict[str, Any]) -> None:
    """The section of docs/conformance.md, from all results."""
    text = DOCUMENT.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    DOCUMENT.write_text(before + BEGIN + "".join(_section(results)) + END + after, "utf-8")


def _section(results: dict[str, Any]) -> list[str]:
    lines = [
        (
            "| suite | package | built by | programs | passed | known | different | skipped"
            " | instructions | commit | date |\n"
        ),
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    ]
    for name, entry in results.items():
        lines.append(
            f"| {name}: {entry['title']} | {entry['package']} | {entry['variants']}"
            f" | {entry['programs']:,} | {entry['passed']:,} | {sum(entry['known'].values()):,}"
            f" | {entry['different']:,} | {sum(entry['skipped'].values()):,}"
            f" | {entry['instructions']:,} | {entry['commit']} | {entry['date']} |\n"
        )
    lines.append("\n")
    for name, entry in results.items():
        notes = [f"{count:,} skipped: {why}" for why, count in entry["skipped"].items()]
        notes += [f"{count:,} known: {why}" for why, count in entry["known"].items()]
        if entry["failed_natively_too"]:
            notes.append(
                f"{entry['failed_natively_too']:,} of those passed end with an error natively, too"
            )
        if notes:
            lines.append(f"- {name}: {'; '.join(notes)}.\n")
    return lines
