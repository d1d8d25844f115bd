"""What the hypervisor's work costs, how often it empties the TLB, and what LOCK is worth."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings
from rockcreek.repro.runs import Run

ADDITIONS = 10_000  # of each processor, by LOCK INC
# What the design asked for, in cycles.
ASKED = {
    "CLI": 200,
    "hidden page fault": 600,
    "write to another's page": 4500,
}


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    bare = next(int(run.text) for run in runs if run.job == "bare")
    lock = next(run for run in runs if run.job == "lock")
    alone = {str(run.values["vcpus"]): run for run in runs if run.job == "one core"}
    costs = {_place(run): run for run in runs if run.job == "costs"}
    loads = {str(run.values["tables"]): _loads(run) for run in runs if run.job == "loads"}
    apart = loads.pop("tlb apart")
    return Findings(
        values={
            "rocky-2way": Fraction(_processors(alone["2"])),
            "rocky-tlb": apart,
        },
        checks={
            "additions by LOCK INC are lost on the bare chip, and none in the guest": Answer(
                bare < 4 * ADDITIONS and _is_whole(lock),
                f"{bare:,} of {4 * ADDITIONS:,}, and all of {_processors(lock)} processors",
            ),
            "none is lost on one core, however many virtual processors it has": Answer(
                all(_is_whole(run) for run in alone.values()),
                ", ".join(f"{_processors(run)} processors" for run in alone.values()),
            ),
            "a hypervisor in each address space of its guest loads no tables for a trap": Answer(
                not any(loads.values()),
                f"0 for each; {float(apart):.2f} for one in an address space of its own",
            ),
        },
        tables={"Cycles, by the other core": _costs(costs), **_readers(runs)},
        data={"costs": {str(key): cycles(run) for key, run in costs.items()}},
    )


def cycles(run: Run) -> dict[str, int]:
    """What the guest says of costs."""
    found = re.findall(r"^cycles, (.+): (\d+)$", run.text, re.MULTILINE)
    return {what: int(count) for what, count in found}


def _place(run: Run) -> tuple[str, int]:
    return str(run.values["tables"]), int(str(run.values["other"]))


def _processors(run: Run) -> int:
    found = re.search(r"^(\d+) processors, (\d+) additions", run.text, re.MULTILINE)
    return int(found[1]) if found else 0


def _is_whole(run: Run) -> bool:
    """Whether the guest has found all additions, and nothing else wrong."""
    whole = f"{_processors(run) * ADDITIONS} additions by LOCK INC"
    return whole in run.text and "ok none is lost" in run.text and "FAILED" not in run.text


def _counted(run: Run, what: str) -> int:
    """A count of the reports of all cores."""
    return sum(map(int, re.findall(rf"rockyvisor: (\d+) {re.escape(what)}$", run.text, re.M)))


def _loads(run: Run) -> Fraction:
    """Of page tables, for a trap that leaves the assembly."""
    short = _counted(run, "of them CLI and STI that needed nothing else")
    loads = _counted(run, "loads of another address space's tables")
    return Fraction(loads, _counted(run, "traps") - short)


def _costs(costs: dict[tuple[str, int], Run]) -> list[list[str]]:
    """A row for each cost, a column for each way of tables and each distance."""
    heads = [f"{tables or 'shadows kept'}, core {other}" for tables, other in costs]
    columns = [cycles(run) for run in costs.values()]
    rows = [["", *heads, "asked"]]
    for what in columns[0]:
        rows.append([what, *(str(column[what]) for column in columns), str(ASKED.get(what, ""))])
    return rows


def _readers(runs: Sequence[Run]) -> dict[str, list[list[str]]]:
    found = [cycles(run) for run in runs if run.job == "readers"]
    if not found:
        return {}
    rows = [[what, str(count)] for what, count in found[0].items()]
    return {"Cycles, with 48 processors": [["", "cycles"], *rows]}
