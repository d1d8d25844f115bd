"""Where the host's time went: what the engine counted, and the key `profile` under `host`."""

from __future__ import annotations

from typing import TypedDict


class EngineProfile(TypedDict):
    """What the engine counted; an instruction's counts: interpreted, stepped, missed."""

    instructions: dict[str, tuple[int, int, int]]
    skipped: int
    undone: int
    stays: int
    unfinished: int
    regions: int
    code_bytes: int
    refused: int


class Translator(TypedDict):
    """What the translator did."""

    stays: int  # entries into translated code
    unfinished: int  # of them, left inside an instruction
    regions: int
    code_bytes: int
    refused: int  # places


class NotTranslated(TypedDict):
    """How often instructions of one kind were executed outside translated code."""

    interpreted: int
    stepped: int
    missed: int


class Instructions(NotTranslated):
    """All instructions of the run: the sum of the others less `again` is their number."""

    translated: int
    skipped: int  # of rounds of waiting loops, which no one executed
    again: int  # executions of instructions that were executed again


class Share(TypedDict):
    """Samples of the host's program counter in one kind of work, or one file."""

    name: str
    samples: int
    cpu_s: float


class LedgerRow(TypedDict):
    """One entry of the ledger."""

    name: str
    count: int
    s: float


class Ledger(TypedDict):
    """What the host had to do, and the part of the processor time that this explains."""

    rows: list[LedgerRow]
    explained: float | None


class HostProfile(TypedDict):
    """The whole."""

    period_us: int
    samples: int
    cpu_s: float
    wall_s: float
    work: list[Share]
    files: list[Share]
    ledger: Ledger
    instructions: Instructions
    translator: Translator
    not_translated: dict[str, NotTranslated]
