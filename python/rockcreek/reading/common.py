"""Types that several schemas have in common."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

# What is counted fits the engine's own 64 bits, and Python's floating point without overflow.
Count = Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]
Positive = Annotated[int, Meta(ge=1, le=1 << 12)]
Core = Annotated[int, Meta(ge=0, lt=1 << 16)]
Word = Annotated[int, Meta(ge=0, lt=1 << 32)]
Code = Annotated[int, Meta(ge=-(1 << 31), lt=1 << 32)]


class Schema(Struct):
    """The name and version of a document's format."""

    name: str
    version: Annotated[int, Meta(ge=0, lt=1 << 31)]


class Headed(Struct):
    """Any document of ours."""

    schema: Schema


class Program(Struct):
    """The program of a run."""

    name: str
    sha256: str
    arguments: list[str]
