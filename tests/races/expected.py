"""What the programs of this folder say of themselves: which races they have, or none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

FOLDER = Path(__file__).resolve().parent
KINDS = ("racy", "clean")
_RACE = re.compile(r"// (race|may): (\d+) (\d+) (.+)")

# Both lines, the smaller one first, and the variable or memory.
Race = tuple[int, int, str]


@dataclass(frozen=True)
class Program:
    """One program of the suite."""

    path: Path
    races: frozenset[Race]  # those that are to be reported
    may: frozenset[Race]  # those that some orders of events hide

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def is_racy(self) -> bool:
        return bool(self.races)

    def wrong(self, told: frozenset[Race]) -> str:
        """What is missing, and what is reported though it is not there; empty: nothing."""
        missing, false = self.races - told, told - self.races - self.may
        parts = [f"not told: {sorted(missing)}"] if missing else []
        parts += [f"told, but not there: {sorted(false)}"] if false else []
        return f"{self.name}: {'; '.join(parts)}" if parts else ""


def programs() -> list[Program]:
    return [_read(path) for kind in KINDS for path in sorted((FOLDER / kind).glob("*.c"))]


def _read(path: Path) -> Program:
    found: dict[str, set[Race]] = {"race": set(), "may": set()}
    for line in path.read_text().splitlines():
        match = _RACE.fullmatch(line)
        if match:
            first, second = sorted((int(match[2]), int(match[3])))
            found[match[1]].add((first, second, match[4]))
    return Program(path, frozenset(found["race"]), frozenset(found["may"]))


def told(findings: Iterable[Mapping[str, Any]]) -> dict[str, frozenset[Race]]:
    """By program: the races that a check has found there."""
    races: dict[str, set[Race]] = {}
    for finding in findings:
        sites = [finding["victim"], finding["culprit"]]
        frames = [site["frames"][site["place"]] for site in sites]
        first, second = sorted(frame["line"] or 0 for frame in frames)
        what = re.sub(r" \+ \d+$", "", finding["what"])
        name = PurePath(frames[0]["file"] or "?").stem
        races.setdefault(name, set()).add((first, second, what))
    return {name: frozenset(found) for name, found in races.items()}
