"""The differences between two results that matter to people: by how much each measure changed,
which cores changed otherwise than the rest, and what was set up differently.

Works on the JSON documents of two runs. `differences.py` finds every place where they part.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

from rockcreek.formats.common import Schema, count_of
from rockcreek.formats.result import Result
from rockcreek.formats.statistics import Counters

SCHEMA: Schema = {"name": "rockcreek-comparison", "version": 1}
# A core stands out if its change is this many median deviations, and this much, from the others'.
_DEVIATIONS, _LEAST = 5.0, 0.02
_FEWEST_CORES = 4
_STANDING_OUT = 3
# What distinguishes one set-up from another: the place in the document, and how it is called.
_SETUP = {
    ("program", "name"): "program",
    ("program", "sha256"): "program's bytes",
    ("program", "arguments"): "arguments",
    ("chip", "name"): "chip",
    ("chip", "sha256"): "chip description",
    ("chip", "clocks"): "clocks",
    ("chip", "jitter"): "jitter",
    ("end",): "end",
    ("exit_code",): "exit code",
}


class MeasureDocument(TypedDict):
    """A number of both results."""

    name: str
    unit: str
    a: float
    b: float
    change: float | None  # relative to a


class OutlierDocument(MeasureDocument):
    """A core that stands out."""

    core: int
    median_change: float


class Setup(TypedDict):
    """What was set up differently."""

    name: str
    a: Any
    b: Any


class ComparisonDocument(TypedDict):
    """What `rck compare --json` prints."""

    schema: Schema
    setup: list[Setup]
    measures: list[MeasureDocument]
    cores: list[OutlierDocument]
    same: list[str]


@dataclass(frozen=True)
class Measure:
    """One number of both results, in a unit of which people can read it."""

    name: str
    unit: str
    a: float
    b: float

    @property
    def change(self) -> float | None:
        """Relative to the first; none if that is 0."""
        return self.b / self.a - 1 if self.a else None

    @property
    def weight(self) -> float:
        """The absolute change, by which the list is sorted; infinite if the first value is 0."""
        return abs(self.change) if self.change is not None else float("inf")

    def to_dict(self) -> MeasureDocument:
        return {
            "name": self.name,
            "unit": self.unit,
            "a": self.a,
            "b": self.b,
            "change": self.change,
        }


@dataclass(frozen=True)
class Outlier:
    """A core whose measure changed otherwise than that of the other cores."""

    core: int
    measure: Measure
    others: float  # the median change of all

    def to_dict(self) -> OutlierDocument:
        return {"core": self.core, **self.measure.to_dict(), "median_change": self.others}


@dataclass(frozen=True)
class Comparison:
    """The differences of two results, which `rck compare` reports."""

    setup: list[tuple[str, Any, Any]]
    measures: list[Measure]  # those that differ, the largest change first
    outliers: list[Outlier]
    same: list[str]  # measures that are equal

    def to_dict(self) -> ComparisonDocument:
        setup: list[Setup] = [{"name": name, "a": a, "b": b} for name, a, b in self.setup]
        return {
            "schema": SCHEMA,
            "setup": setup,
            "measures": [one.to_dict() for one in self.measures],
            "cores": [one.to_dict() for one in self.outliers],
            "same": self.same,
        }


def compare(a: Result, b: Result) -> Comparison:
    """Two results of runs."""
    found = [*_of_the_chip(a, b), *_of_energy(a, b)]
    differing = sorted((one for one in found if one.a != one.b), key=lambda one: -one.weight)
    return Comparison(
        setup=list(_setup(a, b)),
        measures=differing,
        outliers=list(_outliers(a, b)),
        same=[one.name for one in found if one.a == one.b],
    )


def _setup(a: Result, b: Result) -> Iterator[tuple[str, Any, Any]]:
    for place, name in _SETUP.items():
        left, right = _at(a, place), _at(b, place)
        if left != right:
            yield name, left, right
    left, right = ([one["core"] for one in run["cores"]] for run in (a, b))
    if left != right:
        yield "cores", left, right


def _at(document: Result, place: tuple[str, ...]) -> Any:
    value: Any = document
    for key in place:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _cores(run: Result) -> list[Counters]:
    """The counters of the cores that ran."""
    every = run["statistics"]["cores"]
    return [every[one["core"]] for one in run["cores"]]


def _sum(run: Result, count: Callable[[Counters], float]) -> float:
    return sum(count(core) for core in _cores(run))


def _of_the_chip(a: Result, b: Result) -> Iterator[Measure]:
    def both(name: str, unit: str, of: Callable[[Result], float]) -> Measure:
        return Measure(name, unit, of(a), of(b))

    yield both("time", "ms", lambda run: run["time_ps"] / 1e9)
    yield both("instructions", "", lambda run: run["instructions"])
    yield both("cycles", "", lambda run: _sum(run, lambda core: core["cycles"]))
    yield both("instructions per cycle", "", _ipc)
    yield both(
        "cycles waited", "", lambda run: _sum(run, lambda one: one["core"]["waiting_cycles"])
    )
    for key, name in (("l1i", "L1I misses"), ("l1d", "L1D misses"), ("l2", "L2 misses")):
        yield both(name, "", lambda run, key=key: run["totals"].get(f"{key}_misses", 0))  # type: ignore[misc]
    for key, name in (("dtlb_misses", "data TLB misses"), ("x87_instructions", "x87 instructions")):
        yield both(name, "", lambda run, key=key: _sum(run, lambda one: count_of(one["core"], key)))  # type: ignore[misc]
    for key in ("memory", "mpb", "crb", "system"):
        yield both(
            f"waited for {_UNITS[key]}",
            "ms",
            lambda run, key=key: _sum(run, lambda one: count_of(one["stalls"], f"{key}_ps")) / 1e9,  # type: ignore[misc]
        )
    yield both("messages", "", lambda run: run["totals"].get("messages", 0))
    yield both("mesh packets", "", lambda run: run["totals"].get("mesh_packets", 0))
    yield both("mesh flits", "", lambda run: run["statistics"]["mesh"]["flits"])
    yield both("waited for links", "ms", lambda run: run["statistics"]["mesh"]["waited_ps"] / 1e9)
    for key in ("reads", "writes"):
        yield both(f"memory {key}", "", lambda run, key=key: _memory(run, key))  # type: ignore[misc]


_UNITS = {"memory": "memory", "mpb": "message buffers", "crb": "registers", "system": "the board"}


def _ipc(run: Result) -> float:
    cycles = _sum(run, lambda core: core["cycles"])
    return _sum(run, lambda core: core["core"]["instructions"]) / cycles if cycles else 0.0


def _memory(run: Result, key: str) -> float:
    return float(sum(count_of(controller, key) for controller in run["statistics"]["memory"]))


def _of_energy(a: Result, b: Result) -> Iterator[Measure]:
    """The measures of energy, if both runs were made with `--power`."""
    left, right = a.get("energy"), b.get("energy")
    if not left or not right:
        return
    for key, name, unit, scale in (
        ("total_fj", "energy", "mJ", 1e12),
        ("mean_uw", "mean power", "W", 1e6),
        ("peak_uw", "peak power", "W", 1e6),
        ("edp_pj_s", "energy-delay product", "uJ s", 1e6),
    ):
        yield Measure(name, unit, count_of(left, key) / scale, count_of(right, key) / scale)


# Of each core: what it did, and how long.
_OF_A_CORE: dict[str, Callable[[Counters], float]] = {
    "instructions": lambda core: core["core"]["instructions"],
    "cycles waited": lambda core: core["core"]["waiting_cycles"],
    "L1D misses": lambda core: sum(
        count for key, count in core["cache"].items() if key.startswith("l1d_fills_")
    ),
    "L2 misses": lambda core: core["cache"]["l2_fills"],
}


def _outliers(a: Result, b: Result) -> Iterator[Outlier]:
    """Cores that ran in both, by measure: those that changed most unlike the rest."""
    common = [one["core"] for one in a["cores"] if one["core"] in {x["core"] for x in b["cores"]}]
    if len(common) < _FEWEST_CORES:
        return
    for name, of in _OF_A_CORE.items():
        pairs = {
            core: Measure(
                name, "", of(a["statistics"]["cores"][core]), of(b["statistics"]["cores"][core])
            )
            for core in common
        }
        changes = {core: one.change for core, one in pairs.items() if one.change is not None}
        if len(changes) < _FEWEST_CORES:
            continue
        middle = statistics.median(changes.values())
        spread = statistics.median(abs(change - middle) for change in changes.values())
        limit = max(_DEVIATIONS * spread, _LEAST)
        far = [core for core, change in changes.items() if abs(change - middle) > limit]
        far.sort(key=lambda core: -abs(changes[core] - middle))
        yield from (Outlier(core, pairs[core], middle) for core in far[:_STANDING_OUT])


def tell(found: Comparison, label: Callable[[int], str] = "{:02}".format) -> Iterator[str]:
    """Lines for people."""
    for name, a, b in found.setup:
        yield f"{name}: {_short(a)} -> {_short(b)}"
    if found.measures:
        rows = [("", "a", "b", "change")]
        rows += [
            (
                f"{one.name}{', ' + one.unit if one.unit else ''}",
                *_numbers(one),
                _percent(one.change),
            )
            for one in found.measures
        ]
        widths = [max(len(row[column]) for row in rows) for column in range(4)]
        for row in rows:
            cells = [row[0].ljust(widths[0])]
            cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
            yield "  ".join(cells)
    if found.same and found.measures:
        yield f"the same: {', '.join(found.same)}"
    for one in found.outliers:
        measure, change = one.measure, _percent(one.measure.change)
        yield (
            f"core {label(one.core)} stands out: {measure.name} {change} "
            f"({' -> '.join(_numbers(measure))}), all cores {_percent(one.others)} in the median"
        )


def _numbers(one: Measure) -> tuple[str, str]:
    """Both numbers, with as many digits as distinguish them."""
    if float(one.a).is_integer() and float(one.b).is_integer():
        return f"{one.a:,.0f}", f"{one.b:,.0f}"
    digits = 3
    while f"{one.a:,.{digits}f}" == f"{one.b:,.{digits}f}" and digits < 12:
        digits += 1
    return f"{one.a:,.{digits}f}", f"{one.b:,.{digits}f}"


def _percent(change: float | None) -> str:
    """
    >>> _percent(0.1234), _percent(-0.00001), _percent(None), _percent(9)
    ('+12.3 %', '-0.001 %', 'new', 'x 10.0')
    """
    if change is None:
        return "new"
    if change >= 1:
        return f"x {change + 1:.1f}"
    digits = 1 if abs(change) >= 0.001 else 3
    return f"{change * 100:+.{digits}f} %"


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
