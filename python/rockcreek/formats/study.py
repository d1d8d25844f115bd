"""What `rck repro` writes: the record of a run, the result of a study, `measured.json`."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from rockcreek.formats.common import Count, Headed
from rockcreek.formats.energy import EnergySums
from rockcreek.formats.messages import Messages
from rockcreek.formats.statistics import Controller

# What a study lets vary, and the counters of one core by name: `cycles`, those of instructions and
# of caches, and lists of the few that count several things.
Choice = int | float | str | bool | list[int | str]
CoreCounts = dict[str, int | list[int]]


class Record(TypedDict):
    """The record of a finished run that is kept and gone on from."""

    key: str
    job: str
    values: dict[str, Choice]  # of what varies
    seed: int | None
    text: str  # what the guests printed
    time_ps: Count
    instructions: Count
    state_hash: str
    cores: list[CoreCounts]
    memory: list[Controller]
    energy: NotRequired[EnergySums | None]
    messages: NotRequired[Messages | None]
    files: NotRequired[dict[str, str]]  # what the guests wrote, by name


class Chip(TypedDict):
    """The chip of a study."""

    name: str
    title: str
    sha256: str


class Cell(TypedDict):
    """One published number and ours."""

    id: str
    cell: str
    quantity: str
    unit: str
    source: str
    where: str
    published: float
    ours: float | None
    error: float | None  # ours / published - 1; 0 on the right side of a bound
    within: float
    counts: bool
    verdict: str


class Statement(TypedDict):
    """One published trend and whether it holds here; `id` is empty for demands of our own."""

    id: str
    statement: str
    source: str
    where: str
    told: str
    verdict: str


class Host(TypedDict):
    """Where and when a study was run."""

    wall_s: float
    version: str
    commit: str
    date: str
    compiler: str


class Work(Headed):
    """A study and the amount of work that it was."""

    study: str
    title: str
    about: str
    runs: int
    simulated_ps: int
    instructions: int
    tables: dict[str, list[list[str]]]  # title: a head and rows


class Result(Work):
    """The result of a study."""

    quick: bool
    chip: Chip
    programs: dict[str, str]  # SHA-256
    cells: list[Cell]
    statements: list[Statement]
    data: object  # the analysis' own
    host: Host


class MeasuredProgram(TypedDict):
    """A program of a study, and how it was compiled."""

    sources: list[str]
    flags: list[str]
    compiler: str


class MeasuredCell(TypedDict):
    """Our number for a published one."""

    id: str
    cell: str
    ours: float | None


class MeasuredStatement(TypedDict):
    """Whether a published trend holds here."""

    id: str
    statement: str
    told: str
    verdict: str


class Measured(Work):
    """What a study's last full run measured."""

    date: str
    commits: list[str]
    compiler: str
    chip: str
    programs: dict[str, MeasuredProgram]
    cells: list[MeasuredCell]
    statements: list[MeasuredStatement]
