"""Grades that stay: a file for each submission, by which a stopped `rck grade` goes on."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

from msgspec import Struct

from rockcreek._version import __version__
from rockcreek.errors import InputError
from rockcreek.grading.grade import Grade, Terms
from rockcreek.grading.submissions import Submission
from rockcreek.outputs import make_folder, write_whole
from rockcreek.reading import documents


class _Grade(Struct, forbid_unknown_fields=True):
    """The schema of what stays."""

    terms: str
    name: str
    sha256: str
    built: bool
    end: str
    exit_code: int | None
    output: str
    findings: int | None
    time_ps: int | None
    speed_up: float | None
    notes: list[str]


class Store:
    """The folder of the grades under these terms."""

    def __init__(self, folder: Path, terms: Terms) -> None:
        self._folder = make_folder(folder)
        self._terms = hashlib.sha256(f"{__version__}{terms}".encode()).hexdigest()[:16]

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.json"

    def load(self, one: Submission) -> Grade | None:
        """The grade of just this submission under just these terms, if there is one."""
        path = self._path(one.name)
        try:
            found = documents.typed(documents.json(path), _Grade, str(path))
        except InputError:
            return None
        if (found.terms, found.name, found.sha256) != (self._terms, one.name, one.sha256):
            return None
        values = {name: getattr(found, name) for name in found.__struct_fields__ if name != "terms"}
        return Grade(**values)

    def save(self, grade: Grade) -> None:
        """Keeps a grade."""
        document = {"terms": self._terms, **asdict(grade)}
        write_whole(self._path(grade.name), json.dumps(document, indent=1) + "\n", force=True)
