"""MESH's operations beside table III, flushing by lines and ranges, Barnes-Hut's speed-up."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rockcreek.description import Description
from rockcreek.repro.findings import Answer, Findings
from rockcreek.repro.runs import Run

Cost = tuple[int, int]  # overhead, completion

# The costs that together are an access's overhead, as in the table.
PARTS = {
    "read+update": ("invoke", "apply"),
    "write": ("step", "map"),
    "write+update": ("step", "map", "invoke", "apply"),
}
ROWS = {
    "step": "step",
    "invoke": "invoke",
    "apply": "apply",
    "map": "map",
    "read + update": "read+update",
    "write acquire": "write",
    "write + update": "write+update",
}


def analyse(runs: Sequence[Run], chip: Description) -> Findings:
    """The study's numbers."""
    costs: dict[str, Cost] = {}
    lines: dict[str, list[int]] = {}
    ranges: list[list[int]] = []
    bodies: dict[int, list[str]] = {}
    for run in runs:
        for line in run.text.splitlines():
            name, *numbers = line.split()
            if run.job == "barnes":
                bodies[int(name)] = numbers
            elif run.job == "costs":
                costs[name] = (int(numbers[0]), int(numbers[1]))
            elif name == "range":
                ranges.append([int(number) for number in numbers])
            else:
                lines[name] = [int(number) for number in numbers]
    for name, parts in PARTS.items():
        costs[name] = (sum(costs[part][0] for part in parts), costs[name][1])
    clean = {count: cycles for count, cycles, _ in ranges}
    cycles = {cores: int(numbers[1]) for cores, numbers in bodies.items()}
    speed = {cores: Fraction(cycles[1], taken) for cores, taken in sorted(cycles.items())}
    sums = {numbers[-1] for numbers in bodies.values()}
    return Findings(
        values={
            "mesh-table3": {row: list(costs[name]) for row, name in ROWS.items()},
            "mesh-flush-line": lines["line"],
            "mesh-flush-range": Fraction(clean[min(clean)], clean[max(clean)]),
        },
        checks={
            "Barnes-Hut has the same result on all numbers of cores": Answer(
                len(sums) == 1, ", ".join(sorted(sums))
            ),
        },
        tables={
            "Accesses, also by a core that did not allocate the object (cycles)": [
                ["access", "cycles until it is done"],
                *([name, str(cost[1])] for name, cost in costs.items() if _is_access(name)),
            ],
            "Flushing (cycles a line)": [
                ["lines of a call", "clean", "dirty"],
                ["1, neighbours", *map(str, lines["line"])],
                ["1, a page apart", *map(str, lines["apart"])],
                *([str(number) for number in row] for row in ranges),
            ],
            "Barnes-Hut": [
                ["cores", "bodies", "cycles a step", "of these the tree", "speed-up"],
                *(
                    [str(cores), *bodies[cores][:3], f"{float(up):.2f}"]
                    for cores, up in speed.items()
                ),
            ],
        },
        data={"costs": costs, "speed": speed, "ranges": ranges},
    )


def _is_access(name: str) -> bool:
    return name.startswith(("read", "write"))
