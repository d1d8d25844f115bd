"""A house: the tracked files of the checkout and their texts; for tests, some of them changed."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
RUST, PYTHON, C = (".rs",), (".py",), (".c", ".h", ".S", ".cpp", ".hpp", ".inc")
CODE = (*RUST, *PYTHON, *C)
# Written by scripts, as long and as worded as their tables.
GENERATED = {"guest/scc/include/scc/registers.h", "python/rockcreek/_native.pyi"}
# Scripts of a build and of pytest, which belong to no room.
NO_ROOM = {"build.rs", "conftest.py"}


@dataclass(frozen=True, eq=False)
class House:
    """Paths as `git ls-files` gives them; `planted` has texts that stand for a file's own."""

    tracked: tuple[str, ...]
    planted: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def paths(self) -> dict[str, None]:
        """All files, in order."""
        return dict.fromkeys(sorted({*self.tracked, *self.planted}))

    def text(self, path: str) -> str:
        """The text of a file."""
        return self.planted[path] if path in self.planted else _text(path)

    def plant(self, files: Mapping[str, str]) -> House:
        """A house in which these files have these texts."""
        return House(self.tracked, {**self.planted, **files})

    def code(self, suffixes: tuple[str, ...] = CODE) -> list[str]:
        """Source files with one of these endings."""
        return [path for path in self.paths if path.endswith(suffixes) and path not in GENERATED]

    @cached_property
    def production(self) -> dict[str, list[str]]:
        """The code of each folder, without tests."""
        found: dict[str, list[str]] = {}
        for path in self.code():
            folder, _, name = path.rpartition("/")
            if "tests" not in folder.split("/") and name not in NO_ROOM:
                found.setdefault(folder or ".", []).append(path)
        return found


@cache
def _text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8", errors="replace")


@cache
def the_house() -> House:
    """The checkout's own, with files that are not added yet, without those that are gone."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return House(tuple(path for path in listing.split("\0") if path and (ROOT / path).is_file()))
