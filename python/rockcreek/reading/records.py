"""The record of a finished run that `rck repro` keeps and goes on from."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from rockcreek.formats.common import Count
from rockcreek.reading import documents


class Record(Struct):
    key: str
    job: str
    values: dict[str, Any]
    seed: int | None
    text: str
    time_ps: Count
    instructions: Count
    state_hash: str
    cores: list[dict[str, Any]]
    memory: list[dict[str, Any]]
    energy: dict[str, Any] | None = None
    messages: dict[str, Any] | None = None
    files: dict[str, str] = {}


def load(path: str) -> dict[str, Any]:
    """A record, all parts of it there."""
    document: dict[str, Any] = documents.json(path)
    documents.typed(document, Record, path)
    return document
