"""What an analysis returns, and the arithmetic that analyses share, in exact numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

from rockcreek.formats.study import CoreCounts
from rockcreek.repro.runs import Run


@dataclass(frozen=True)
class Answer:
    """Whether a statement holds here, and the numbers that say so."""

    holds: bool
    told: str


@dataclass
class Findings:
    """The result of a study."""

    # Published id: our value in the shape of the published one, which may be a number, a list or a
    # table of either.
    values: dict[str, Any] = field(default_factory=dict)
    # Published id of a statement: whether it holds here.
    trends: dict[str, Answer] = field(default_factory=dict)
    # What we demand besides: a sentence, and whether it holds.
    checks: dict[str, Answer] = field(default_factory=dict)
    # Tables for the page: title, then a head and rows of text.
    tables: dict[str, list[list[str]]] = field(default_factory=dict)
    # All else that the JSON and the picture need: each analysis has its own.
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Fit:
    """A least-squares line."""

    slope: float
    intercept: float
    r_squared: float


def fit_line(points: Iterable[tuple[int, Fraction | int]]) -> Fit:
    """Least squares in exact arithmetic, so that the digits are the same everywhere.

    >>> fit_line([(1, Fraction(5)), (2, Fraction(7)), (3, Fraction(9))])
    Fit(slope=2.0, intercept=3.0, r_squared=1.0)
    """
    pairs = [(x, Fraction(y)) for x, y in points]
    n = len(pairs)
    mean_x = Fraction(sum(x for x, _ in pairs), n)
    mean_y = sum((y for _, y in pairs), Fraction()) / n
    xx = sum((x - mean_x) ** 2 for x, _ in pairs)
    xy = sum((x - mean_x) * (y - mean_y) for x, y in pairs)
    yy = sum((y - mean_y) ** 2 for _, y in pairs)
    slope = Fraction(xy) / xx
    r_squared = slope * xy / yy if yy else Fraction(1)
    return Fit(float(slope), float(mean_y - slope * mean_x), float(r_squared))


def mean(values: Iterable[Fraction | int]) -> Fraction:
    """The exact mean.

    >>> mean([1, 2])
    Fraction(3, 2)
    """
    items = [Fraction(value) for value in values]
    return sum(items, Fraction()) / len(items)


def mean_by(pairs: Iterable[tuple[int, Fraction]]) -> dict[int, Fraction]:
    """The mean of the values at each distance.

    >>> mean_by([(1, Fraction(4)), (2, Fraction(7)), (1, Fraction(6))])
    {1: Fraction(5, 1), 2: Fraction(7, 1)}
    """
    groups: dict[int, list[Fraction]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return {key: mean(group) for key, group in sorted(groups.items())}


def median(values: Iterable[Fraction | int]) -> Fraction:
    """The middle value, or the mean of the two in the middle.

    >>> median([5, 1, 2, 4])
    Fraction(3, 1)
    """
    items = sorted(Fraction(value) for value in values)
    middle = len(items) // 2
    if len(items) % 2:
        return items[middle]
    return (items[middle - 1] + items[middle]) / 2


def crossing(
    sizes: Sequence[int], first: Mapping[int, int], second: Mapping[int, int]
) -> Fraction | None:
    """The size from which the first curve lies below the second one, on the line between the sizes
    around it.

    >>> crossing([1, 2, 4], {1: 9, 2: 9, 4: 9}, {1: 3, 2: 6, 4: 12})
    Fraction(3, 1)
    """
    for below, above in pairwise(sizes):
        before, after = first[below] - second[below], second[above] - first[above]
        if before > 0 and after > 0:
            return below + Fraction((above - below) * before, before + after)
    return None


def hops(a: tuple[int, int], b: tuple[int, int]) -> int:
    """Distance of two tiles on the mesh, X first, then Y.

    >>> hops((0, 0), (5, 3))
    8
    """
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


# Where a core's cycles went, as far as its counters show.
_CYCLES = ("waiting_cycles", "halted_cycles")


def _count(core: CoreCounts, counter: str) -> int:
    """A counter of one number; 0 where the record has none."""
    found = core.get(counter, 0)
    if isinstance(found, list):
        raise ValueError(f"{counter} counts several things")
    return found


def _rounds(run: Run, name: str) -> int:
    """The value of what varies, as a number."""
    return int(str(run.values[name]))


def cost_table(runs: Sequence[tuple[str, Run]]) -> list[list[str]]:
    """Instructions, cycles and stalls of the cores of some runs, for the page."""
    rows = [["run", "core", "instructions", "cycles", "waiting", "halted", "other"]]
    for name, run in runs:
        for core in run.cores:
            waiting, halted = (_count(core, counter) for counter in _CYCLES)
            cycles = _count(core, "cycles")
            parts = [waiting, halted, cycles - waiting - halted]
            shares = [f"{part / cycles:.1%}" for part in parts] if cycles else ["-"] * 3
            number = str(core["core"])
            rows.append([name, number, f"{core['instructions']:,}", f"{cycles:,}", *shares])
    return rows


def cost_per_round(runs: Sequence[Run], rounds: str) -> list[list[str]]:
    """What one round costs each core: the difference of two runs with different `rounds`.

    Start and end of the program are the same in both and fall out.
    """
    rows = [["run", "core", "instructions", "cycles", "waiting", "halted", "other"]]
    groups: dict[str, list[Run]] = {}
    for run in runs:
        name = " ".join(f"{value}" for key, value in run.values.items() if key != rounds)
        groups.setdefault(name, []).append(run)
    for name, group in groups.items():
        few, many = sorted(group, key=lambda run: _rounds(run, rounds))
        more = _rounds(many, rounds) - _rounds(few, rounds)
        for a, b in zip(few.cores, many.cores, strict=True):
            counters = ("instructions", "cycles", *_CYCLES)
            each = {key: Fraction(_count(b, key) - _count(a, key), more) for key in counters}
            rest = each["cycles"] - sum(each[key] for key in _CYCLES)
            numbers = [*each.values(), rest]
            rows.append([name, str(a["core"]), *(f"{float(value):.0f}" for value in numbers)])
    return rows


def rounded(value: Any, digits: int = 4) -> Any:
    """Exact numbers as floats for JSON, in containers of any depth."""
    if isinstance(value, Fraction):
        return round(float(value), digits)
    if isinstance(value, float):
        return round(value, digits)
    if isinstance(value, Mapping):
        return {str(key): rounded(inner, digits) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(inner, digits) for inner in value]
    return value
