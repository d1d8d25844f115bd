"""What each entry of the ledger of `rck run --profile-host` costs this host.

The start of the process is measured: a program that says hello and ends. The programs are run once
more with that option. Then, from no cost at all on, each other entry in turn gets the cost, none
below zero, that leaves the least squares of what is not explained, as parts of each program's time,
until nothing changes any more.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from benches import measure, others
from benches.real import measure as real
from benches.real import plan
from benches.real.plan import Built, RealProgram
from rockcreek.results import host_ledger

ROUNDS = 20_000
HELLO = plan.ROOT / "examples" / "hello" / "hello.c"
STARTS = 5


def count(program: RealProgram, built: Built, rck: str) -> dict[str, Any]:
    """The counts of a run, start included."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "result.json"
        words = real.rck_words(program, built, path, "--profile-host")
        measure.run([rck, *words], built.folder)
        rows = json.loads(path.read_text())["host"]["profile"]["ledger"]["rows"]
        return {"start": 1, **{row["name"]: row["count"] for row in rows}}


def start_ns(rck: str) -> float:
    """The least processor time of a hello on one core, in nanoseconds."""
    with tempfile.TemporaryDirectory() as scratch:
        binary = Path(scratch) / "hello"
        subprocess.run(
            [*plan.RCK, "cc", "-O2", str(HELLO), "-lrcce", "-o", str(binary)], check=True
        )
        runs = [measure.run([rck, "run", "-q", "-n", "1", str(binary)]) for _ in range(STARTS)]
    return min(run.cpu_s for run in runs) * 1e9


def fit(samples: list[tuple[dict[str, int], float]], start: float) -> dict[str, float]:
    """Nanoseconds of each entry, from counts and seconds of programs; `start` is the first's."""
    costs = {**dict.fromkeys(host_ledger.ENTRIES, 0.0), "start": start}
    parts = [
        {name: counted.get(name, 0) / seconds / 1e9 for name in costs}
        for counted, seconds in samples
    ]
    rest = [1.0 - start * part["start"] for part in parts]
    for _ in range(ROUNDS):
        for name, cost in costs.items():
            weight = sum(part[name] ** 2 for part in parts)
            if name == "start" or weight == 0:
                continue
            step = sum(left * part[name] for left, part in zip(rest, parts, strict=True)) / weight
            step = max(step, -cost)
            costs[name] += step
            rest = [left - step * part[name] for left, part in zip(rest, parts, strict=True)]
    return {name: round(cost, 2) for name, cost in costs.items()}


def write(document: dict[str, Any], start: float) -> None:
    """The costs that explain the programs of this document, with the host that they are of."""
    where = document["machine"]
    counted = [record for record in document["programs"].values() if "ledger" in record]
    samples = [(record["ledger"], others.best(record)) for record in counted]
    told = {
        "processor": where["processor"],
        "date": where["date"],
        "commit": where["commit"],
        "programs": len(samples),
        "costs_ns": fit(samples, start),
    }
    host_ledger.COSTS.write_text(json.dumps(told, indent=1) + "\n")
