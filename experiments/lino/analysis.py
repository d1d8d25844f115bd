"""From the controller's line to the time of a step by workers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings
from rockcreek.repro.runs import Run

_LINE = re.compile(r"workers (\d+) bodies \d+ steps \d+: ([\d.]+) ms a step, sum (\S+)")


def parse(text: str) -> tuple[int, float, str]:
    """Workers, milliseconds, and a sum over the bodies.

    >>> parse("workers 2 bodies 8 steps 1: 3.500 ms a step, sum 1.25")
    (2, 3.5, '1.25')
    """
    match = _LINE.search(text)
    if match is None:
        raise ValueError(f"no result in {text!r}")
    return int(match[1]), float(match[2]), match[3]


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    found = [parse(run.text) for run in runs]
    times = {workers: time for workers, time, _ in found}
    sums = {total for _, _, total in found}
    best = min(times, key=lambda workers: times[workers])
    return Findings(
        values={"nbody-table5": {str(workers): time for workers, time in times.items()}},
        checks={
            "all rings compute the same": Answer(len(sums) == 1, ", ".join(sorted(sums))),
            "two workers are fastest": Answer(best == 2, f"{best} workers: {times[best]:.0f} ms"),
        },
        tables={
            "A step": [
                ["workers", "tiles", "ms"],
                *[
                    [str(workers), str(len(run.cores)), f"{time:.1f}"]
                    for (workers, time, _), run in zip(found, runs, strict=True)
                ],
            ]
        },
        data={"ms": times},
    )
