"""MB per second of each way, and their order."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rockcreek.description import Description
from rockcreek.errors import RockcreekError
from rockcreek.repro.findings import Answer, Findings, cost_table
from rockcreek.repro.runs import Run

Rates = dict[str, Fraction]


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    by_core = {run.values["core"]: _rates(run, chip.core_period_ps) for run in runs}
    names = list(next(iter(by_core.values())))
    table = [["way", *(f"core {core}, MB/s" for core in by_core)]]
    for name in names:
        table.append([name, *(f"{float(rates[name]):.1f}" for rates in by_core.values())])
    return Findings(
        trends={
            "mem-order-maow": _answer(by_core, _allocating),
            "mem-order-mpbt": _answer(by_core, _message),
        },
        tables={
            "Throughput": table,
            "Where the cycles went": cost_table([("copies", run) for run in runs]),
        },
        data={"MB_per_s": by_core},
    )


def _rates(run: Run, period: int) -> Rates:
    """Bytes in a microsecond."""
    rates = {}
    for line in run.text.splitlines():
        name, *numbers = line.split()
        size, cycles, right = map(int, numbers)
        if not right:
            raise RockcreekError(f"{name} copied wrong data")
        rates[name] = Fraction(size * 10**6, cycles * period)
    return rates


def _allocating(rates: Rates) -> bool:
    """About as fast as iRCCE's copy; both at least 1.4 times the plain one."""
    ours, theirs = rates["copy-allocating"], rates["copy-ircce"]
    much = Fraction(7, 5) * rates["copy-plain"]
    return abs(ours / theirs - 1) < Fraction(1, 4) and min(ours, theirs) > much


def _message(rates: Rates) -> bool:
    others = max(rates["copy-plain"], rates["copy-allocating"], rates["copy-ircce"])
    return rates["copy-message"] > rates["copy-to-message"] > others


def _answer(by_core: dict[int, Rates], holds: object) -> Answer:
    assert callable(holds)
    told = []
    for core, rates in by_core.items():
        order = sorted(
            (name for name in rates if name.startswith("copy")), key=lambda name: rates[name]
        )
        shown = " < ".join(f"{name[5:]} {float(rates[name]):.2f}" for name in order)
        told.append(f"core {core}: {shown} MB/s")
    return Answer(all(holds(rates) for rates in by_core.values()), "\n".join(told))
