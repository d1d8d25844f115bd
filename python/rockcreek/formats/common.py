"""Types that several documents have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypedDict, cast

from msgspec import Meta

# What is counted fits the engine's own 64 bits, and Python's floating point without overflow.
Count = Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]
Positive = Annotated[int, Meta(ge=1, le=1 << 12)]
Core = Annotated[int, Meta(ge=0, lt=1 << 16)]
Word = Annotated[int, Meta(ge=0, lt=1 << 32)]
Code = Annotated[int, Meta(ge=-(1 << 31), lt=1 << 32)]


def count_of(counts: Mapping[str, object], name: str) -> int:
    """The count of this name, of an object that has one."""
    return cast("int", counts[name])


class Schema(TypedDict):
    """The name and version of a document's format."""

    name: str
    version: Annotated[int, Meta(ge=0, lt=1 << 31)]


class Headed(TypedDict):
    """Any document of ours."""

    schema: Schema


class Program(TypedDict):
    """The program of a run."""

    name: str
    sha256: str
    arguments: list[str]
