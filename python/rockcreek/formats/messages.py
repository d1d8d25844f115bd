"""Calls and messages of a run: the key `messages` of a result."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from rockcreek.formats.common import Core, Count, Positive


class Pair(TypedDict):
    """What went from one UE to another one."""

    source: Core
    target: Core
    messages: Count
    bytes: Count


class CallCount(TypedDict):
    """The calls of one entry point."""

    name: str
    calls: Count
    kind: NotRequired[str]
    bytes: NotRequired[int]
    refused: NotRequired[int]


class SizeCount(TypedDict):
    """Messages of at most `to` bytes and more than half of that."""

    to: int
    messages: int


# What a task of a microkernel sent to a gate; `faults` are also system calls.
GateCount = TypedDict(
    "GateCount",
    {"core": Core, "from": str, "to": str, "calls": Count, "sends": Count, "faults": Count},
)


class Messages(TypedDict):
    """The key `messages`; `roi` is the part of the region of interest."""

    ues: Positive
    messages: list[Pair]
    calls: NotRequired[list[CallCount]]
    puts: NotRequired[list[Pair]]
    gets: NotRequired[list[Pair]]
    watched: NotRequired[list[str]]
    in_collectives: NotRequired[int]
    sizes: NotRequired[list[SizeCount]]
    gates: NotRequired[list[GateCount]]
    roi: NotRequired[RegionMessages]


class RegionMessages(Messages):
    """Messages of the region of interest."""

    name: str
