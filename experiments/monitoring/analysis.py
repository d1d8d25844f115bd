"""What each level of the log adds; time, instructions per cycle and messages of a broadcast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings, mean
from rockcreek.repro.runs import Run

LEVELS = ("counters", "counts", "targets", "sizes")
SIZES = 14  # of a broadcast: 1 byte to 8 KB
VERY_LITTLE = 1  # %
Added = dict[str, dict[str, Fraction]]  # % by program and level
PEAK = range(6, 12)  # "about 8"


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    samples: dict[tuple[str, str, int], list[int]] = {}
    for run in runs:
        if run.job != "bcast":
            cycles = [int(line.split()[1]) for line in run.text.splitlines()]
            what = run.values.get("what", "stencil")
            samples.setdefault((what, run.values["level"], len(run.cores)), []).extend(cycles)
    times = {key: mean(cycles) for key, cycles in samples.items()}
    two = sorted({what for what, _, cores in times if cores == 2})
    added = {what: {level: _added(times, what, level, 2) for level in LEVELS} for what in two}
    by_cores = {
        cores: _added(times, "stencil", "sizes", cores)
        for cores in sorted({cores for what, level, cores in times if what == "stencil"})
    }
    broadcasts = _broadcasts([run for run in runs if run.job == "bcast"])
    values: dict[str, Fraction] = {"bu-log-target": added["stencil"]["targets"]}
    if "shift" in added:
        shift = added["shift"]
        values["bu-log-size-pp"] = min(added["pingpong"]["sizes"], added["stencil"]["sizes"])
        values["bu-log-size-shift"] = shift["sizes"] - shift["targets"]
    return Findings(
        values=values,
        trends={
            "bu-log-small": _small(added),
            "bu-log-size-cores": Answer(
                all(a < b for a, b in pairwise(by_cores.values())),
                ", ".join(
                    f"{cores} cores: {float(part):.2f} %" for cores, part in by_cores.items()
                ),
            ),
            **_of_broadcasts(broadcasts),
        },
        checks={"logging targets costs less than 1 %": _below_one(added)},
        tables={
            "Run time that a level adds (%)": _levels(added),
            "At the root of a broadcast to N": _table(broadcasts, chip),
        },
        data={"added_percent": added, "broadcasts": broadcasts},
    )


def _added(
    times: Mapping[tuple[str, str, int], Fraction], what: str, level: str, cores: int
) -> Fraction:
    plain = times[what, "none", cores]
    return 100 * (times[what, level, cores] / plain - 1)


def _small(added: Added) -> Answer:
    most = {what: max(levels[level] for level in LEVELS[:3]) for what, levels in added.items()}
    told = ", ".join(f"{what}: at most {float(part):.2f} %" for what, part in most.items())
    return Answer(all(part < VERY_LITTLE for part in most.values()), f"not BT and LU, but {told}")


def _below_one(added: Added) -> Answer:
    told = ", ".join(f"{what}: {float(part['targets']):.2f} %" for what, part in added.items())
    return Answer(all(part["targets"] < 1 for part in added.values()), told)


def _broadcasts(runs: Sequence[Run]) -> dict[int, dict[str, Fraction]]:
    """By receivers: what a round of all sizes takes at the root (cycles, instructions per cycle,
    messages per 1000 instructions), and the instructions per cycle of all cores."""
    pairs: dict[int, dict[int, Run]] = {}
    for run in runs:
        pairs.setdefault(len(run.cores) - 1, {})[run.values["rounds"]] = run
    found = {}
    for receivers, both in sorted(pairs.items()):
        rounds = max(both)
        silent, sending = both[min(both)].cores, both[rounds].cores
        root, everyone = (
            {
                key: sum(int(many[key]) - int(few[key]) for few, many in cores)
                for key in ("instructions", "cycles")
            }
            for cores in (
                [(silent[0], sending[0])],
                list(zip(silent, sending, strict=True)),
            )
        )
        found[receivers] = {
            "cycles": Fraction(root["cycles"], rounds),
            "ipc": Fraction(root["instructions"], root["cycles"]),
            "all": Fraction(everyone["instructions"], everyone["cycles"]),
            "messages": Fraction(1000 * receivers * rounds * SIZES, root["instructions"]),
        }
    return found


def _of_broadcasts(found: Mapping[int, Mapping[str, Fraction]]) -> dict[str, Answer]:
    grows = all(found[a]["cycles"] < found[b]["cycles"] for a, b in pairwise(found))
    peak = max(found, key=lambda n: found[n]["ipc"])
    told = ", ".join(f"N = {n}: {float(row['ipc']):.4f}" for n, row in found.items())
    time = "the time grows" if grows else "the time does not always grow"
    messages = [found[n]["messages"] for n in found]
    rises = all(a < b for a, b in pairwise(messages))
    per = ", ".join(f"N = {n}: {float(row['messages']):.3f}" for n, row in found.items())
    return {
        "bu-bcast": Answer(
            grows and peak in PEAK, f"{time}; instructions per cycle highest at N = {peak}: {told}"
        ),
        "bu-bcast-mpi": Answer(rises, f"messages per 1000 instructions: {per}"),
    }


def _levels(added: Added) -> list[list[str]]:
    rows = [["program", *LEVELS]]
    for what, levels in added.items():
        rows.append([what, *(f"{float(levels[level]):.2f}" for level in LEVELS)])
    return rows


def _table(found: Mapping[int, Mapping[str, Fraction]], chip: Description) -> list[list[str]]:
    rows = [
        [
            "N",
            "us of a round",
            "instructions per cycle",
            "of all cores",
            "messages per 1000 instructions",
        ]
    ]
    for receivers, row in found.items():
        us = row["cycles"] * Fraction(chip.core_period_ps, 10**6)
        rows.append(
            [
                str(receivers),
                f"{float(us):.1f}",
                f"{float(row['ipc']):.4f}",
                f"{float(row['all']):.4f}",
                f"{float(row['messages']):.3f}",
            ]
        )
    return rows
