"""The part of docs/performance.md about two host threads: a table made from what was measured, and
by hand, with its date, what binds it."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Any

from benches.others import kept

RESULTS = Path(__file__).parent / "real" / "threads.json"
# The numbers of threads that are compared.
COUNTS = ("1", "2")

_BINDS = """\
What binds it: two threads share what cores do between two transactions; transactions have one
order, and reach links, controllers and message buffers that all cores share. Giving a core to
another thread and back, with eight lines of the host's caches each way, takes 0.47 microseconds on
this host (two threads in turns, nothing else running, 2026-11-30): longer than all that the host
does for a transaction of NPB, the work of its core included. Only cores that compute for long
between transactions gain; `rck` measures it, and stays on one thread for the others
(docs/guide/running.md).
"""

_HEAD = """\
### Two host threads

`make bench-real ARGS=--threads`: seconds of wall time on one host thread and on two, in turns, and
how many times as fast two were: the median of the turns.
"""


def gain(runs: dict[str, list[Any]]) -> float:
    """How many times as fast two threads were, by wall time: the median of the turns."""
    pairs = zip(*(runs[count] for count in COUNTS), strict=True)
    return float(statistics.median(one["wall_s"] / two["wall_s"] for one, two in pairs))


def lines(document: dict[str, Any] | None = None) -> list[str]:
    """The section of the page; nothing if it has never been measured."""
    document = document or kept(RESULTS)
    if document is None:
        return []
    where = document["machine"]
    measured = (
        f"Measured on {where['date']} at commit {where['commit']}: {where['processor']}, "
        f"{where['processors']} processors.\n"
    )
    text = [
        _HEAD,
        measured,
        "| program | transactions, millions | microseconds each | one, s | two, s | times |",
        "| --- | --: | --: | --: | --: | --: |",
    ]
    for name, record in document["programs"].items():
        runs = record["runs"]
        one, two = (min(run["wall_s"] for run in runs[count]) for count in COUNTS)
        count = runs["1"][0]["execution"]["transactions"]
        text.append(
            f"| {name} | {count / 1e6:.1f} | {1e6 * one / count:.2f} | {one:.2f} | {two:.2f} "
            f"| {gain(runs):.2f} |"
        )
    return [*text, "", _BINDS]
