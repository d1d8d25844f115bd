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
INSTRUCTIONS = ("CLI", "STI", "POPF")  # that a guest may have as calls
CHUNKS = {0: "pages of its own", 64: "chunks of 64 bytes", 16: "chunks of 16 bytes"}
BYTES = "bytes of "  # the job, and how many processors
SHARING_MOST = 20  # times as long as on pages of its own
IDLE_MOST = Fraction(1, 100)


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    bare = next(int(run.text) for run in runs if run.job == "bare")
    lock = next(run for run in runs if run.job == "lock")
    alone = {str(run.values["vcpus"]): run for run in runs if run.job == "one core"}
    costs = {_place(run): run for run in runs if run.job == "costs"}
    loads = {str(run.values["tables"]): _loads(run) for run in runs if run.job == "loads"}
    apart = loads.pop("tlb apart")
    calls = next(cycles(run) for run in runs if run.job == "calls")
    traps = cycles(costs["", 1])
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
            "a call takes less time than the trap of the instruction": Answer(
                all(calls[name] < traps[name] for name in INSTRUCTIONS),
                ", ".join(f"{name} {calls[name]}, {traps[name]}" for name in INSTRUCTIONS),
            ),
            **_sharing(runs),
            **_idle(runs),
        },
        tables={
            "Cycles, by the other core": _costs(costs),
            "Cycles, of a guest that traps and of one that calls": _ways(traps, calls),
            **_readers(runs),
            **_bytes(runs),
        },
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


def _ways(traps: dict[str, int], calls: dict[str, int]) -> list[list[str]]:
    rows = [[what, str(count), str(calls[what])] for what, count in traps.items()]
    return [["", "traps", "calls"], *rows]


def _readers(runs: Sequence[Run]) -> dict[str, list[list[str]]]:
    found = [cycles(run) for run in runs if run.job == "readers"]
    if not found:
        return {}
    rows = [[what, str(count)] for what, count in found[0].items()]
    return {"Cycles, with 48 processors": [["", "cycles"], *rows]}


def _rounds(runs: Sequence[Run]) -> dict[tuple[int, int], int]:
    """Cycles by processors and chunk."""
    found = [run for run in runs if run.job.startswith(BYTES)]
    return {
        (int(str(run.values["n"])), int(str(run.values["chunk"]))): cycles(run)[
            "each byte increased"
        ]
        for run in found
    }


def _bytes(runs: Sequence[Run]) -> dict[str, list[list[str]]]:
    found = _rounds(runs)
    rows = [["processors", *CHUNKS.values()]]
    for count in sorted({count for count, _ in found}):
        rows.append([str(count), *(str(found.get((count, chunk), "")) for chunk in CHUNKS)])
    return {"Cycles until all have together increased 24,576 bytes": rows}


def _sharing(runs: Sequence[Run]) -> dict[str, Answer]:
    """The quick form has no pages of their own."""
    found = _rounds(runs)
    times = {count: found[count, 16] / found[count, 0]
             for count, chunk in found if chunk == 0 and count > 1}  # fmt: skip
    if not times:
        return {}
    return {
        f"false sharing takes at most {SHARING_MOST} times as long as pages of their own": Answer(
            all(each <= SHARING_MOST for each in times.values()),
            ", ".join(f"{count} processors: {each:.1f}" for count, each in times.items()),
        )
    }


def _busy(run: Run) -> list[tuple[int, int]]:
    """Of each core: cycles in which it worked, and all."""
    return [(core["cycles"] - core["halted_cycles"], core["cycles"]) for core in run.cores]


def _idle(runs: Sequence[Run]) -> dict[str, Answer]:
    """What a longer sleep adds."""
    by_length = {int(str(run.values["ms"])): run for run in runs if run.job == "idle"}
    first, last = (_busy(by_length[ms]) for ms in sorted(by_length))
    most = max(
        Fraction(then[0] - before[0], then[1] - before[1])
        for before, then in zip(first, last, strict=True)
    )
    return {
        "a guest that sleeps, but for its ticks, takes less than a hundredth of each core": Answer(
            most < IDLE_MOST, f"{float(most):.2%} of {len(last)} cores, at most"
        )
    }
