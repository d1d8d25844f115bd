"""One host thread against two: programs of many cores, in turns, by wall time.

The state at the end must be the same.
"""

from __future__ import annotations

import sys
from typing import Any

from benches import machine, peers
from benches.real import measure
from benches.real.plan import Built, RealProgram
from benches.two_threads import COUNTS, gain


def campaign(programs: list[tuple[RealProgram, Built]], turns: int) -> dict[str, Any]:
    """Runs them; returns what the page is made from."""
    document: dict[str, Any] = {"machine": machine.describe(), "programs": {}}
    for program, built in programs:
        runs: dict[str, list[Any]] = {count: [] for count in COUNTS}
        document["programs"][program.name] = {"cores": program.cores, "runs": runs}
        for _ in range(turns):
            for count in COUNTS:
                runs[count].append(
                    measure.run_rck(program, built, peers.rck()[0], "--threads", count)
                )
        states = {run["execution"]["state_hash"] for each in runs.values() for run in each}
        if len(states) > 1:
            raise measure.WrongResultError(f"{program.name}: two threads end in another state")
        print(f"bench-real: {program.name}: {gain(runs):.2f} times as fast", file=sys.stderr)
    return document
