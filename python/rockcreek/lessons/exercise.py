"""An exercise as its folder describes it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from msgspec import Struct, field

from rockcreek.errors import NotFoundError
from rockcreek.printable import nearest
from rockcreek.reading import documents

FOLDER = Path(__file__).resolve().parent / "exercises"
_FLAGS = ["-O1", "-g", "-lrcce"]


class Broken(Struct, forbid_unknown_fields=True, frozen=True):
    """What the program shows as it is given: a finding, a cause of `rck why`, or its output."""

    end: str
    finding: str | None = None
    cause: str | None = None
    may_stay: bool = False  # the cause, in a mended program that is fast enough
    output: str | None = None


class Description(Struct, forbid_unknown_fields=True, frozen=True):
    """The schema of `lesson.toml`."""

    number: int
    title: str
    cores: int
    output: str  # of the mended program, without tags, lines in the order of their text
    broken: Broken
    flags: list[str] = field(default_factory=lambda: list(_FLAGS))
    check: Literal["coherence", "races"] | None = None
    faster: float | None = None  # how many times as fast as the given program


class Exercise(Struct, frozen=True):
    """One exercise."""

    name: str
    about: Description

    @property
    def text(self) -> str:
        return documents.text(FOLDER / self.name / "README.md")

    @property
    def program(self) -> Path:
        return FOLDER / self.name / "program.c"

    @property
    def solution(self) -> Path:
        return FOLDER / self.name / "solution.c"


def all_of_them() -> list[Exercise]:
    """The exercises in their order."""
    found = []
    for path in FOLDER.glob("*/lesson.toml"):
        about = documents.typed(documents.toml(path), Description, str(path))
        found.append(Exercise(path.parent.name, about))
    return sorted(found, key=lambda one: one.about.number)


def named(name: str) -> Exercise:
    """The exercise of this name, or number."""
    known = all_of_them()
    for one in known:
        if name in (one.name, str(one.about.number)):
            return one
    text = f"there is no exercise '{name}'{nearest(name, [one.name for one in known])}"
    raise NotFoundError(text, path=name, hint="`rck lesson` lists them")
