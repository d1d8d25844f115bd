"""The ledger of `--profile-host`: what the host had to do, how often, and what each costs it.

The counts are exact. The costs (`host_costs.json`, by `python -m benches.real --ledger`) are those
that explain the processor times of the programs of benches/real on one host best, none below zero;
another host has others. What goes together in all these programs shares its cost in any way: a line
of code that L1I misses stands for new code that is translated, too. Where the sum is far from the
time that was measured, the program does something that none of these entries counts.

A profile begins after the start of the process, which only the ledgers of benches/real contain.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from rockcreek.formats.common import count_of
from rockcreek.formats.host_profile import Instructions, Ledger, LedgerRow, Translator
from rockcreek.formats.statistics import Statistics

COSTS = Path(__file__).with_name("host_costs.json")

# Words for each entry, in the order of the table.
ENTRIES = {
    "start": "start of the process",
    "translated": "instructions in translated code",
    "entered": "entries into translated code",
    "interpreted": "instructions by the interpreter",
    "skipped": "instructions skipped, of waiting loops",
    "unforeseen": "branches not foreseen",
    "l1i": "lines of code that L1I missed",
    "l1d": "lines of data that came from L2",
    "tlb": "pages that a TLB missed",
    "reads": "reads through the mesh",
    "writes": "writes through the mesh",
    "code": "KiB of host code made",
}


def counts(
    translated: Instructions, translator: Translator, statistics: Statistics
) -> dict[str, int]:
    """How often each has happened, on all cores."""
    cores, tiles = statistics["cores"], statistics["tiles"]

    def core(*names: str) -> int:
        return sum(count_of(each["core"], name) for each in cores for name in names)

    def cache_(*names: str) -> int:
        return sum(each["cache"][name] for each in cores for name in names)

    return {
        "translated": translated["translated"],
        "entered": translator["stays"],
        "interpreted": translated["interpreted"] + translated["stepped"] + translated["missed"],
        "skipped": translated["skipped"],
        "unforeseen": core("pipeline_flushes"),
        "l1i": cache_("l1i_fills_from_l2", "l1i_fills_from_memory"),
        "l1d": cache_("l1d_fills_from_l2"),
        "tlb": core("itlb_misses", "dtlb_misses"),
        "reads": sum(tile["reads"] for tile in tiles),
        "writes": sum(tile["writes"] for tile in tiles),
        "code": translator["code_bytes"] // 1024,
    }


@cache
def costs() -> dict[str, float]:
    """Nanoseconds of the host's processor, by entry."""
    costs_ns: dict[str, float] = json.loads(COSTS.read_text())["costs_ns"]
    return costs_ns


def ledger(counted: Mapping[str, int], cpu_s: float) -> Ledger:
    """Each entry's count and seconds, and which part of the processor time they explain."""
    prices = costs()
    rows: list[LedgerRow] = [
        {"name": name, "count": counted[name], "s": round(counted[name] * prices[name] / 1e9, 3)}
        for name in ENTRIES
        if name in counted
    ]
    explained_s = sum(row["count"] * prices[row["name"]] for row in rows) / 1e9
    return {"rows": rows, "explained": round(explained_s / cpu_s, 3) if cpu_s else None}


def describe(told: Ledger) -> list[str]:
    """The table for a terminal."""
    lines = ["     ledger:", f"       {'count':>15}  {'ns each':>8}  {'s':>9}"]
    prices = costs()
    for row in told["rows"]:
        name = row["name"]
        lines.append(
            f"       {row['count']:15,}  {prices[name]:8.1f}  {row['s']:9.3f}  {ENTRIES[name]}"
        )
    if told["explained"] is not None:
        lines.append(f"       in all {told['explained']:.2f} of the processor time")
    return lines
