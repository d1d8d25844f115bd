"""The record of a finished run that `rck repro` keeps and goes on from."""

from __future__ import annotations

from rockcreek.formats.study import Record
from rockcreek.reading import documents


def load(path: str) -> Record:
    """A record, all parts of it there."""
    document: Record = documents.json(path)
    documents.typed(document, Record, path)
    return document
