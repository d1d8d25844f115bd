"""From what the cores print to offsets, ways and deadlines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings
from rockcreek.repro.runs import Run

PS_PER_US = 1_000_000


def lines(text: str, word: str) -> list[list[str]]:
    """The words of the lines that begin with this one.

    >>> lines("clock 1 5 9\\nflow 0 1\\n", "clock")
    [['1', '5', '9']]
    """
    return [line.split()[1:] for line in text.splitlines() if line.split()[:1] == [word]]


def offsets(text: str) -> list[int]:
    """What each core takes its clock to be behind core 0's, in cycles."""
    values = [int(fields[1]) for fields in lines(text, "clock")]
    return [value - 2**32 if value >= 2**31 else value for value in values]


@dataclass(frozen=True)
class Ways:
    """Of all messages of a run."""

    count: int
    lost: int
    mean_us: float
    longest_us: float
    by_receiver: dict[int, tuple[float, float, float]]  # shortest, mean, longest


def ways(text: str, period_ps: int) -> Ways:
    """The ways of a run's messages, over the chip and by receiver."""
    us = period_ps / PS_PER_US
    rows = [[int(field) for field in fields] for fields in lines(text, "flow")]
    # The sum is of sixteenths, so that it fits a word.
    count, total = sum(row[2] for row in rows), sum(16 * row[5] for row in rows)
    receivers = {}
    for core in sorted({row[1] for row in rows}):
        mine = [row for row in rows if row[1] == core and row[2]]
        if mine:
            mean = sum(16 * row[5] for row in mine) / sum(row[2] for row in mine)
            longest = max(row[6] for row in mine)
            receivers[core] = (min(row[4] for row in mine) * us, mean * us, longest * us)
    return Ways(
        count, sum(row[3] for row in rows), total / count * us, max(r[6] for r in rows) * us,
        receivers,
    )  # fmt: skip


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    us = chip.core_period_ps / PS_PER_US
    errors = {
        int(run.values["trips"]): max(abs(value) for value in offsets(run.text)) * us
        for run in runs
        if run.job == "clock"
    }
    of = {
        run.job: ways(run.text, chip.core_period_ps) for run in runs if run.job.startswith("links")
    }
    plain, tenfold = of["links"], of["links tenfold"]
    tasks = [fields for run in runs if run.job == "flight" for fields in lines(run.text, "task")]
    released = sum(int(fields[1]) for fields in tasks)
    missed = sum(int(fields[2]) + int(fields[3]) + int(fields[6]) for fields in tasks)
    return Findings(
        values={
            "det-clock": errors[1],
            "det-maxlat": plain.longest_us,
            "det-maxmean": plain.longest_us / plain.mean_us,
        },
        checks={
            "clocks agree within 20 us": Answer(
                max(errors.values()) <= 20,
                ", ".join(f"{trips} trips: {error:.2f} us" for trips, error in errors.items()),
            ),
            "no message is lost at the nominal load": Answer(
                plain.lost == 0, f"{plain.count} came, {plain.lost} lost"
            ),
            "no job is late, runs too long or loses a line": Answer(
                missed == 0 and released > 0, f"{released} releases, {missed} faults"
            ),
        },
        tables={"Ways": _table(plain, tenfold)},
        data={"ways": {name: _data(it) for name, it in of.items()}, "clock_us": errors},
    )


def _table(plain: Ways, tenfold: Ways) -> list[list[str]]:
    rows = [["load", "messages", "lost", "mean, us", "longest, us", "longest / mean"]]
    for name, it in (("960 MB/s", plain), ("tenfold gaps", tenfold)):
        times = [it.mean_us, it.longest_us, it.longest_us / it.mean_us]
        rows.append([name, str(it.count), str(it.lost), *(f"{time:.1f}" for time in times)])
    return rows


def _data(it: Ways) -> dict[str, Any]:
    return {"count": it.count, "lost": it.lost, "by_receiver": it.by_receiver}
