"""The lines of a sweep's `rows.jsonl`: the plan's key, then a row each, with a sum over all of it.

A checksum shows that a byte has changed on the disk, which may still be a well-formed line.
"""

from __future__ import annotations

import hashlib
import json
from typing import Annotated

from msgspec import Meta, Struct

from rockcreek.errors import InputError
from rockcreek.formats.rows import Row, Value
from rockcreek.reading import documents


class _Head(Struct, forbid_unknown_fields=True):
    plan: str


class _Line(Struct, forbid_unknown_fields=True):
    index: Annotated[int, Meta(ge=0, le=1 << 40)]
    row: dict[str, Value]
    sum: str


def head(plan: str) -> bytes:
    """The line that names the plan."""
    return json.dumps({"plan": plan}).encode() + b"\n"


def line(plan: str, index: int, row: Row) -> bytes:
    """The line of a row."""
    return json.dumps({"index": index, "row": row, "sum": _sum(plan, index, row)}).encode() + b"\n"


def _sum(plan: str, index: int, row: Row) -> str:
    return hashlib.sha256(json.dumps([plan, index, row], sort_keys=True).encode()).hexdigest()[:16]


def read_head(text: bytes) -> str | None:
    """The plan's key, if this is the line that names it."""
    try:
        return documents.typed(documents.json_of(text, ""), _Head, "").plan
    except InputError:
        return None


def read_row(text: bytes, plan: str) -> tuple[int, Row] | None:
    """A row of this plan with its number; None if the line is damaged or another plan's."""
    try:
        found = documents.typed(documents.json_of(text, ""), _Line, "")
    except InputError:
        return None
    good = found.sum == _sum(plan, found.index, found.row) and _is_row(found.row)
    return (found.index, found.row) if good else None


def _is_row(row: Row) -> bool:
    failed = row.get("end") == "failed"
    return failed or (isinstance(row.get("end"), str) and isinstance(row.get("exit_code"), int))
