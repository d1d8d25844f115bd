"""What the page of a run is given: the parts of a result and a profile that its scripts show.

`shape` holds each value against its kind at run time; the scripts read these names.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict

from rockcreek.formats.cycle_profile import Causes
from rockcreek.formats.messages import Pair
from rockcreek.formats.result import Chip, Mark


class Core(TypedDict):
    """A core of the run."""

    core: int
    rank: int
    reason: str
    exit_code: int | None
    end_ps: int | None
    x: int
    y: int
    waits: list[str]
    values: dict[str, float]  # by metric


class Link(TypedDict):
    """Flits over the outputs of the router at `x`, `y`."""

    x: int
    y: int
    east: int
    west: int
    north: int
    south: int


class Moments(TypedDict):
    """What cores and links did over time."""

    spans: list[list[int]]  # begin and end in ps
    values: dict[str, list[list[float]]]  # by metric: of each moment, in the order of the cores
    links: list[list[list[int | str]]]  # of each moment: x, y, way, flits


class Line(TypedDict):
    """A source line with many cycles."""

    where: str
    text: str
    causes: Causes


class Lines(TypedDict):
    """The source lines with most cycles, and the cycles of all lines."""

    cycles: int
    rows: list[Line]


class Data(TypedDict):
    """The data of the page."""

    program: str
    arguments: list[str]
    chip: Chip
    end: str
    errors: list[str]
    time_ps: int
    instructions: int
    totals: dict[str, int]
    columns: int
    rows: int
    metrics: dict[str, str]  # what each metric is
    cores: list[Core]
    links: list[Link]
    ues: int
    messages: list[Pair]
    marks: list[Mark]
    power: list[list[float]]  # instants in ps, and the mean power in W until then
    moments: Moments
    lines: NotRequired[Lines | None]
