"""Times of messages and calls by sockets and by the message buffers, and the gains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod

from rockcreek.description import Description
from rockcreek.repro.findings import Findings
from rockcreek.repro.runs import Run

CALLED = (0, 64, 256)  # bytes
SMALL_BELOW = 256
LARGE_FROM = 8160
WAYS = {"druby://rck01:7640": "TCP", "rcce://1": "RCCE"}

Times = Mapping[int, Fraction]  # by bytes


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    messages = {
        "RCCE" if run.job == "messages" else str(run.values["way"]).upper(): _times(run)
        for run in runs
        if run.job != "calls"
    }
    calls = {WAYS[str(run.values["uri"])]: _times(run) for run in runs if run.job == "calls"}
    tcp, rcce = messages["TCP"], messages["RCCE"]
    values = {
        "ruby-rcce-vs-tcp": _gain(tcp, rcce, tcp),
        "ruby-rcce-small": _gain(tcp, rcce, [size for size in tcp if size < SMALL_BELOW]),
        "ruby-rcce-large": _gain(tcp, rcce, [size for size in tcp if size >= LARGE_FROM]),
        "ruby-table3": {str(size): [calls["TCP"][size], None] for size in CALLED},
    }
    if "RCCE" in calls:
        ratios = [calls["TCP"][size] / calls["RCCE"][size] for size in CALLED[:2]]
        values["ruby-drb-2pct"] = 100 * (sum(ratios) / len(ratios) - 1)
    return Findings(
        values=values,
        tables={
            "A message one way, us": _table(messages, rcce),
            "A call, ms": _table(calls, calls["TCP"]),
        },
        data={"messages": messages, "calls": calls},
    )


def _times(run: Run) -> Times:
    """Of lines such as `64 bytes: 11.45 us`."""
    lines = (line.split() for line in run.text.splitlines())
    return {int(size): Fraction(time) for size, _, time, _ in lines}


def _gain(slow: Times, fast: Times, sizes: Sequence[int] | Times) -> float:
    ratios = [float(slow[size] / fast[size]) for size in sizes]
    return float(prod(ratios) ** (1 / len(ratios)))


def _table(columns: Mapping[str, Times], sizes: Times) -> list[list[str]]:
    rows = [["bytes", *columns]]
    for size in sizes:
        times = (column.get(size) for column in columns.values())
        rows.append(
            [f"{size:,}", *("" if time is None else f"{float(time):,.2f}" for time in times)]
        )
    return rows
