"""What cores and links of a run did, as one number each: in all, or between two samples.

Metrics are named alike in pictures, on the page of `rck view` and in Python.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rockcreek.formats.common import count_of
from rockcreek.formats.result import CoreSamples, Result

METRICS = {
    "ipc": "instructions per cycle",
    "waiting": "share of cycles that waited",
    "misses": "lines from beyond L1",
    "instructions": "instructions",
    "energy": "energy in mJ",
    "power": "power in mW",
}
# Those that only runs with `--power` have.
ENERGIES = ("energy", "power")
# Moments of an animation: more of them are put together.
MOST_MOMENTS = 120
WAYS = ("east", "west", "north", "south")

Values = dict[int, float]
Link = tuple[int, int, str]


@dataclass(frozen=True)
class Moment:
    """Values of the cores, and flits of the links, between two instants."""

    start_ps: int
    end_ps: int
    cores: Values
    links: dict[Link, int]


def values(result: Result, metric: str) -> Values:
    """A metric of each core over the whole run, from the JSON document of its result."""
    energy = result.get("energy")
    energies = {one["core"]: one["total_fj"] for one in (energy["cores"] if energy else [])}
    found = {}
    for entry in result["cores"]:
        core = entry["core"]
        counted = result["statistics"]["cores"][core]
        counts = {
            "cycles": counted["cycles"],
            "instructions": counted["core"]["instructions"],
            "waiting_cycles": counted["core"]["waiting_cycles"],
            "misses": sum(n for key, n in counted["cache"].items() if "_fills_" in key),
            "energy_fj": energies.get(core, 0),
        }
        found[core] = value(metric, counts, result["time_ps"])
    return found


def value(metric: str, counts: Mapping[str, int], time_ps: int) -> float:
    """A metric, from counts.

    >>> value("ipc", {"cycles": 8, "instructions": 2}, 1), value("power", {"energy_fj": 6}, 3)
    (0.25, 2.0)
    """
    if metric == "ipc":
        return counts["instructions"] / (counts["cycles"] or 1)
    if metric == "waiting":
        return counts["waiting_cycles"] / (counts["cycles"] or 1)
    if metric == "energy":
        return counts.get("energy_fj", 0) * 1e-12
    if metric == "power":
        return counts.get("energy_fj", 0) / (time_ps or 1)
    return float(counts[metric])


def links(result: Result) -> dict[Link, int]:
    """Flits over each link between two tiles; a link is named by where it begins and its way."""
    columns = result["chip"]["columns"]
    return {
        (n % columns, n // columns, way): count_of(link, way)
        for n, link in enumerate(result["statistics"]["mesh"]["link_flits"])
        for way in WAYS
        if count_of(link, way)
    }


def moments(result: Result, metric: str, most: int = MOST_MOMENTS) -> list[Moment]:
    """The run between its samples (`--sample T`), at most so many; none without samples."""
    samples = result.get("samples")
    if not samples or not samples["end_ps"]:
        return []
    ends = samples["end_ps"]
    step = -(-len(ends) // most)
    found = []
    for first in range(0, len(ends), step):
        span = slice(first, min(first + step, len(ends)))
        start_ps = ends[first - 1] if first else samples["start_ps"]
        end_ps = ends[span.stop - 1]
        found.append(
            Moment(
                start_ps,
                end_ps,
                {
                    one["core"]: value(metric, _sums(one, span), end_ps - start_ps)
                    for one in samples["cores"]
                },
                {
                    (one["x"], one["y"], one["way"]): sum(one["flits"][span])
                    for one in samples["links"]
                    if one["way"] in WAYS
                },
            )
        )
    return found


def at(found: Sequence[Moment], time_ps: int) -> Moment:
    """The moment in which an instant lies; the last one if it is later."""
    return next((one for one in found if time_ps <= one.end_ps), found[-1])


def _sums(one: CoreSamples, span: slice) -> dict[str, int]:
    return {
        "cycles": sum(one["cycles"][span]),
        "instructions": sum(one["instructions"][span]),
        "waiting_cycles": sum(one["waiting_cycles"][span]),
        "misses": sum(one["misses"][span]),
        "energy_fj": sum((one.get("energy_fj") or [])[span]),
    }
