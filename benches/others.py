"""The part of docs/performance.md about programs that others wrote: nothing in it is typed."""

from __future__ import annotations

import json
import math
import statistics
from pathlib import Path
from typing import Any

from rockcreek.results import host_ledger

RESULTS = Path(__file__).parent / "real" / "results.json"

_HEAD = """\
## Programs that others wrote

`make bench-real` fetches and builds them (`benches/real/programs.toml`) and runs them by all tools
in turns; the raw numbers: `benches/real/results.json`. The start of rck, a third of a second, is in
each time. For each tool, how many times as fast rck was: the median of the turns.
"""


_BINDS = """\
What each is, and what binds its speed, by profiles:
"""

_LEDGER = [
    "The ledger of `rck run --profile-host`: counts times what each costs this host, as parts of",
    "the time. The costs are those that fit all programs best: of two entries that always come",
    "together, one may stand for both.",
    "",
    "| program | largest entries | in all |",
    "| --- | --- | --: |",
]

# Entries of the ledger that are shown of a program.
SHOWN = 4


def kept(path: Path) -> dict[str, Any] | None:
    """The document of a campaign; `None` if none has been kept."""
    return dict(json.loads(path.read_text())) if path.is_file() else None


def spent(run: dict[str, Any]) -> float:
    """Processor time, in seconds."""
    return float(run["user_s"] + run["system_s"])


def best(record: dict[str, Any], name: str = "rck") -> float:
    return min(map(spent, record["runs"][name]))


def times(record: dict[str, Any], name: str) -> float | None:
    """How many times as fast as the tool; `None` if that has not run."""
    pairs = list(zip(record["runs"].get(name, []), record["runs"]["rck"], strict=False))
    return statistics.median(spent(tool) / spent(rck) for tool, rck in pairs) if pairs else None


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def lines(document: dict[str, Any] | None = None) -> list[str]:
    """The section; nothing if it has never been measured."""
    document = document or kept(RESULTS)
    if document is None:
        return []
    records = document["programs"]
    names = [*document["tools"]]
    names += ["other"] * any("other" in record["runs"] for record in records.values())
    titles = ["another version" if name == "other" else name for name in names]
    text = [
        _HEAD,
        _where(document["machine"], records),
        "| program | cores | instructions, millions | s | MIPS |"
        + "".join(f" times {title} |" for title in titles),
        "| --- | --: | --: | --: | --: |" + " --: |" * len(names),
    ]
    for name, record in records.items():
        count, seconds = record["runs"]["rck"][0]["execution"]["instructions"], best(record)
        cells = "".join(f" {_cell(times(record, tool))} |" for tool in names)
        text.append(
            f"| {name} | {record['cores']} | {count / 1e6:,.0f} | {seconds:.2f} "
            f"| {count / seconds / 1e6:.0f} |{cells}"
        )
    means = "".join(f" {_cell(_mean(records, tool))} |" for tool in names)
    text.append(f"| geometric mean | | | | |{means}")
    about: dict[str, list[str]] = {}
    for name, record in records.items():
        about.setdefault(f"{record['about']}. {record['binds']}".rstrip(), []).append(name)
    told = [f"- {', '.join(names)}: {words}" for words, names in about.items()]
    absent = [f"- {name}: not measured: {why}." for name, why in document["missing"].items()]
    counted = {name: _ledger(record) for name, record in records.items() if "ledger" in record}
    rows = [f"| {name} | {cells} |" for name, cells in counted.items()]
    ledger = ["", *_LEDGER, *rows] if rows else []
    return [*text, "", _BINDS, *told, *absent, *ledger, ""]


def _where(machine: dict[str, Any], records: dict[str, Any]) -> str:
    load = ", ".join(f"{value:.2f}" for value in machine["load"])
    engine = f"{machine['commit']} ({machine['engine']} build of the engine)"
    turns = min(len(record["runs"]["rck"]) for record in records.values())
    return (
        f"Measured on {machine['date']} at commit {engine}: {machine['processor']}, "
        f"{machine['processors']} processors, {machine['system']}; load averages {load} before; "
        f"turns of each program: {turns} or more.\n"
    )


def _ledger(record: dict[str, Any]) -> str:
    """The largest entries of a program's ledger, and all, as parts of its time."""
    told = host_ledger.ledger(record["ledger"], best(record))
    rows = sorted(told["rows"], key=lambda row: -row["s"])[:SHOWN]
    most = ", ".join(
        f"{host_ledger.ENTRIES[row['name']]} {100 * row['s'] / best(record):.0f} %" for row in rows
    )
    return f"{most} | {100 * (told['explained'] or 0):.0f} %"


def _mean(records: dict[str, Any], tool: str) -> float | None:
    values = [value for record in records.values() if (value := times(record, tool)) is not None]
    return math.exp(statistics.fmean(map(math.log, values))) if values else None
