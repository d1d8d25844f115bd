"""What each entry of the ledger of `rck run --profile-host` costs this host.

The programs are run once more with that option. Then, from no cost at all on, each entry in turn
gets the cost, none below zero, that leaves the least squares of what is not explained, as parts of
each program's time, until nothing changes any more.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from benches import measure
from benches.real import measure as real
from benches.real.plan import Built, RealProgram
from rockcreek.results import host_ledger

ROUNDS = 20_000


def count(program: RealProgram, built: Built, rck: str) -> dict[str, Any]:
    """The counts of a run, and its processor time."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "result.json"
        words = real.rck_words(program, built, path, "--profile-host")
        measure.run([rck, *words], built.folder)
        rows = json.loads(path.read_text())["host"]["profile"]["ledger"]["rows"]
        return {row["name"]: row["count"] for row in rows}


def fit(samples: list[tuple[dict[str, int], float]]) -> dict[str, float]:
    """Nanoseconds of each entry, from counts and seconds of programs."""
    costs = dict.fromkeys(host_ledger.ENTRIES, 0.0)
    parts = [
        {name: counted.get(name, 0) / seconds / 1e9 for name in costs}
        for counted, seconds in samples
    ]
    rest = [1.0] * len(parts)
    for _ in range(ROUNDS):
        for name, cost in costs.items():
            weight = sum(part[name] ** 2 for part in parts)
            if weight == 0:
                continue
            step = sum(left * part[name] for left, part in zip(rest, parts, strict=True)) / weight
            step = max(step, -cost)
            costs[name] += step
            rest = [left - step * part[name] for left, part in zip(rest, parts, strict=True)]
    return {name: round(cost, 2) for name, cost in costs.items()}


def write(document: dict[str, Any], samples: list[tuple[dict[str, int], float]]) -> None:
    """The costs, with the host that they are of."""
    where = document["machine"]
    told = {
        "processor": where["processor"],
        "date": where["date"],
        "commit": where["commit"],
        "programs": len(samples),
        "costs_ns": fit(samples),
    }
    host_ledger.COSTS.write_text(json.dumps(told, indent=1) + "\n")
