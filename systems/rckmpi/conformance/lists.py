"""What MPICH's lists and makefiles say of its tests: programs, ranks, arguments, verdicts.

A line of a list is a program, its ranks and words such as arg=..., env=..., mem=..., timeLimit=...,
resultTest=..., xfail=...; or a folder with a list of its own. Words in @...@ are for configure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

LISTS = ("testlist.in", "testlist")
# Marks of tests that configure leaves out here.
NOT_MADE = {"largetest": "a large test, which MPICH's configure leaves out unless asked"}
NOT_THERE = ("cxxdir", "f77dir", "f90dir", "f08dir", "threadsdir", "faultsdir", "ckpointdir")


@dataclass
class Case:
    """One line of a list."""

    folder: str
    program: str
    ranks: int
    arguments: list[str] = field(default_factory=list)
    env: dict[str, str] = field(default_factory=dict)
    verdict: str = "NoErrors"  # or resultTest of the list
    seconds: float = 0
    memory_gb: float = 0
    expected_to_fail: str = ""
    left_out: str = ""  # by MPICH's own configure

    @property
    def must_be_ended(self) -> bool:
        """Whether the test is that who starts it ends it after its time."""
        return self.verdict == "ErrFatal" and self.seconds > 0

    @property
    def name(self) -> str:
        words = [f"{self.folder}/{self.program}", str(self.ranks), *self.arguments]
        return " ".join(words + [f"{name}={value}" for name, value in self.env.items()])


def cases(root: Path, folder: str) -> Iterator[Case]:
    """All cases of a folder, and of the folders that its list names."""
    path = next((root / folder / name for name in LISTS if (root / folder / name).is_file()), None)
    if path is None:
        return
    for line in path.read_text().splitlines():
        marks = re.findall(r"@(\w+)@", line)
        if set(marks) & set(NOT_THERE):
            continue
        # A mark alone stands for a folder.
        words = re.sub(r"@(\w+)dir@$|@\w+@", r"\1", line).split()
        if not words:
            continue
        if len(words) == 1 and (root / folder / words[0]).is_dir():
            yield from cases(root, f"{folder}/{words[0]}")
        elif not words[0].startswith("#") and len(words) > 1 and words[1].isdigit():
            case = _case(folder, words)
            case.left_out = next((NOT_MADE[mark] for mark in marks if mark in NOT_MADE), "")
            yield case


def _case(folder: str, words: list[str]) -> Case:
    case = Case(folder, words[0], int(words[1]))
    for word in words[2:]:
        key, _, value = word.partition("=")
        if key == "arg":
            case.arguments.append(value)
        elif key == "env":
            name, _, text = value.partition("=")
            case.env[name] = text
        elif key == "timeLimit":
            case.seconds = float(value)
        elif key == "mem":
            case.memory_gb = float(value)
        elif key == "resultTest":
            case.verdict = value.removeprefix("Test")
        elif key == "xfail":
            case.expected_to_fail = value
    return case


@dataclass(frozen=True)
class Made:
    """How a program is made."""

    sources: tuple[str, ...]
    flags: tuple[str, ...]


def made(root: Path, folder: str, program: str) -> Made:
    """What the folder's Makefile.am says of a program; else its source has its name."""
    path = root / folder / "Makefile.am"
    text = path.read_text().replace("\\\n", " ") if path.is_file() else ""

    def words(kind: str) -> list[str]:
        found = re.search(rf"^{re.escape(program)}_{kind}\s*=(.*)$", text, re.MULTILINE)
        return found.group(1).split() if found else []

    sources = words("SOURCES") or [f"{program}.c"]
    flags = [word for word in words("CPPFLAGS") if word.startswith("-D")]
    return Made(tuple(sources), tuple(flags))
