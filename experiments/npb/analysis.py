"""Time of whole runs on one core by one iteration's, and the mix of class W on 16."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from rockcreek.description import Description
from rockcreek.errors import RockcreekError
from rockcreek.repro.findings import Findings
from rockcreek.repro.runs import Run

ITERATIONS = {"LU": 250, "BT": 200}  # of class A
PRINTED = re.compile(r"(\d+) of \d+ iterations, residual \S+\n(\d+\.\d+) s, (\d+\.\d+) Mop/s")
SUM = 10**8  # instructions, to which the published table refers
# Of the published table, in its order.
COLUMNS = ("misses of code", "s", "messages", "instructions per cycle", "reads past caches")


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    alone = {run.job: _seconds(run) for run in runs if run.job in ITERATIONS}
    whole = {job: ITERATIONS[job] * seconds for job, seconds in alone.items()}
    mixes = {}
    for job in ("BT.W.16", "LU.W.16"):
        few, more = sorted(
            (run for run in runs if run.job == job), key=lambda run: int(run.values["iterations"])
        )
        mixes[job] = _mix(few, more, chip)
    full = all(run.values["class"] in ("A", "W") for run in runs)
    values = {
        "bf-npb-a-one-core": whole,
        "bu-table1-npb": {job: [mix[name] for name in COLUMNS] for job, mix in mixes.items()},
    }
    return Findings(
        values=values if full else {},
        tables={
            "One core": _alone([run for run in runs if run.job in ITERATIONS]),
            "For 100 million instructions of all cores": _mixes(mixes),
        },
        data={"seconds_of_an_iteration": alone, "mixes": mixes},
    )


def _seconds(run: Run) -> Fraction:
    """The time of an iteration, as the program timed it."""
    return Fraction(_printed(run)[2]) / int(_printed(run)[1])


def _printed(run: Run) -> re.Match[str]:
    found = PRINTED.search(run.text)
    if found is None:
        raise RockcreekError(f"{run.job} printed no time:\n{run.text}")
    return found


def _mix(few: Run, more: Run, chip: Description) -> dict[str, Fraction]:
    """What the iterations did that the longer run has more."""

    def added(counter: str) -> int:
        return sum(
            int(b[counter]) - int(a[counter]) for a, b in zip(few.cores, more.cores, strict=True)
        )

    assert few.energy is not None and more.energy is not None
    instructions, cycles = added("instructions"), added("cycles")
    seconds = Fraction(cycles * SUM * chip.core_period_ps, instructions * 10**12)
    femtojoules = more.energy["total_fj"] - few.energy["total_fj"]
    watts = Fraction(femtojoules, more.time_ps - few.time_ps) / 1000
    return {
        "instructions per cycle": Fraction(instructions, cycles),
        "s": seconds,
        "misses of code": Fraction(
            (added("l1i_fills_from_l2") + added("l1i_fills_from_memory")) * SUM, instructions
        ),
        "messages": Fraction((_messages(more) - _messages(few)) * SUM, instructions),
        "reads past caches": Fraction(added("reads_from_bus"), instructions),
        "W of the chip": watts,
        "energy-delay product of the chip (J s)": watts * seconds**2,
        "references to memory": Fraction((added("loads") + added("stores")) * SUM, instructions),
        "misaligned": Fraction(added("misaligned_references") * SUM, instructions),
        "floating-point operations": Fraction(
            added("floating_point_operations") * SUM, instructions
        ),
        "cycles of waiting for stores (%)": Fraction(100 * added("write_stall_cycles"), cycles),
        "cycles of waiting for loads (%)": Fraction(100 * added("read_stall_cycles"), cycles),
    }


def _messages(run: Run) -> int:
    assert run.messages is not None
    return sum(int(entry["messages"]) for entry in run.messages["messages"])


def _alone(runs: Sequence[Run]) -> list[list[str]]:
    rows = [["program", "class", "s of an iteration", "Mop/s", "instructions, with the start"]]
    for run in runs:
        printed = _printed(run)
        rows.append(
            [run.job, run.values["class"], f"{float(_seconds(run)):.3f}", printed[3],
             f"{run.instructions / 1e9:.2f} G"]
        )  # fmt: skip
    return rows


def _mixes(mixes: Mapping[str, Mapping[str, Fraction]]) -> list[list[str]]:
    names = list(next(iter(mixes.values())))
    rows = [["", *mixes]]
    for name in names:
        digits = 0 if max(mix[name] for mix in mixes.values()) > 1000 else 4
        rows.append([name, *(f"{float(mix[name]):,.{digits}f}" for mix in mixes.values())])
    return rows
