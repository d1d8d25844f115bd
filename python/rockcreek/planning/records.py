"""Reads the records of a search: the lines that `rck plan --trace` writes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from rockcreek.errors import InputError
from rockcreek.reading import documents

_HINT = "`rck plan --trace FILE` writes such a file"
_Number = Annotated[int, msgspec.Meta(ge=0, le=(1 << 63) - 1)]


class Record(msgspec.Struct, frozen=True):
    """One state that a rank evaluated or expanded."""

    rank: _Number
    ns: _Number  # since the search began, by a clock that all ranks share
    what: str  # evaluate, expand
    key: str
    g: _Number  # actions from the start
    h: _Number  # h_add; NEVER: no way to the goal
    open: _Number  # length of the rank's open list
    parent: str = ""


# h_add of a state from which the goal cannot be reached (systems/planner/hadd/hadd.h).
NEVER = 2**32 - 1


def read(path: str | Path) -> list[Record]:
    """The records of a file, in the order of its lines; an error names the line."""
    decoder = msgspec.json.Decoder(Record)
    found = []
    for number, line in enumerate(documents.text(path, hint=_HINT).splitlines(), 1):
        try:
            found.append(decoder.decode(line))
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"{path}:{number}: is no record of a search ({error})", path=str(path), hint=_HINT
            ) from error
    if not found:
        raise InputError(f"{path}: has no record of a search", path=str(path), hint=_HINT)
    return found


def split(records: Sequence[Record], beside: Sequence[Record]) -> tuple[list[Record], list[Record]]:
    """The expanded states of a search: those that another one has expanded, too, and the others."""
    known = {one.key for one in beside if one.what == "expand"}
    expanded = [one for one in records if one.what == "expand"]
    return (
        [one for one in expanded if one.key in known],
        [one for one in expanded if one.key not in known],
    )
