"""The schema of a cycle profile (docs/guide/profile.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct

from rockcreek.reading import PROFILE, PROFILE_VERSION, documents
from rockcreek.reading.common import Core, Count, Headed, Program, Word

_HINT = "`rck run --profile FILE` writes profiles"
Cause = Literal[
    "compute", "l2", "dram", "mpb", "lock", "registers", "board", "stores", "nowhere", "halted"
]


class CoreCycles(Struct):
    """The cycles of a core over the whole run."""

    core: Core
    cycles: Count
    causes: dict[Cause, Count]


class Place(Struct):
    """A source line, as far as it is known."""

    image: str
    function: str | None
    file: str | None
    line: Word | None


class Row(Struct):
    """Cycles of one core at one place."""

    core: Core
    place: Count
    user: bool
    causes: dict[Cause, Count]


class Region(Struct):
    """The cycles of the region of interest."""

    name: str
    cores: list[CoreCycles]
    rows: list[Row]


class Profile(Headed):
    """The document."""

    program: Program
    clocks: str
    time_ps: Count
    state_hash: str
    cores: list[CoreCycles]
    places: list[Place]
    rows: list[Row]
    roi: Region | None = None


def load(path: str) -> dict[str, Any]:
    """A profile from its file."""
    document = documents.json(path, hint=_HINT)
    if not isinstance(document, dict) or "schema" not in document:
        raise documents.misfit(path, "", "is not a profile", _HINT)
    schema = documents.typed(document, Headed, path, hint=_HINT).schema
    if (schema.name, schema.version) != (PROFILE, PROFILE_VERSION):
        raise documents.misfit(path, "", f"is not a profile of version {PROFILE_VERSION}", _HINT)
    profile = documents.typed(document, Profile, path, hint=_HINT)
    for place, what in _misfits(profile):
        raise documents.misfit(path, place, what, _HINT)
    return document


def _misfits(profile: Profile) -> Iterator[tuple[str, str]]:
    count = len(profile.places)
    of_region = [] if profile.roi is None else profile.roi.rows
    for name, rows in (("rows", profile.rows), ("roi.rows", of_region)):
        for number, row in enumerate(rows):
            if row.place >= count:
                yield f"{name}[{number}].place", f"expected the number of one of {count} places"
    for number, place in enumerate(profile.places):
        if place.line is not None and place.file is None:
            yield f"places[{number}].file", "expected a file, for there is a line"
