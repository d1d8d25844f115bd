"""What math.h declares, read from the guest's own header."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADER = ROOT / "python/rockcreek/_guest/sysroot/include/math.h"
REAL_TYPES = ("float", "double", "long double")
_RESULTS = "float|double|long double|long long|long|int|void"


@dataclass(frozen=True)
class Function:
    """One function: its name, the type of its result and of its arguments."""

    name: str
    result: str
    arguments: tuple[str, ...]

    @property
    def real(self) -> str:
        """The real type it works in."""
        if self.result in REAL_TYPES:
            return self.result
        return next(a.rstrip("*") for a in self.arguments if a.rstrip("*") in REAL_TYPES)

    @property
    def family(self) -> str:
        """A function's name without the letter for its type."""
        stem = self.name.removesuffix("_r")
        rest = self.name[len(stem) :]
        letter = {"float": "f", "double": "", "long double": "l"}[self.real]
        return stem.removesuffix(letter) + rest

    @property
    def shape(self) -> str:
        """Result and arguments, with T for the real type."""
        words = [self.result, *self.arguments]
        # nexttoward's second argument is long double whatever the first is.
        if self.family == "nexttoward":
            words = [self.result, self.arguments[0], "L"]
        return ",".join(re.sub(rf"^{self.real}\b", "T", word) for word in words)


def functions() -> list[Function]:
    """Every function that the header declares, internal names left out."""
    text = re.sub(r"/\*.*?\*/", " ", HEADER.read_text(), flags=re.DOTALL)
    text = text.replace("\\\n", " ")
    text = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    found = re.findall(rf"^({_RESULTS})\s+(\w+)\s*\(([^)]*)\)\s*;", text, flags=re.MULTILINE)
    result = []
    for kind, name, arguments in found:
        if not name.startswith("__"):
            types = tuple(_plain(a) for a in arguments.split(","))
            result.append(Function(name, kind, types))
    return sorted(result, key=lambda f: f.name)


def macros() -> list[str]:
    """The function-like macros for classification and comparison."""
    names = re.findall(r"^#define\s+([a-z]+)\(", HEADER.read_text(), flags=re.MULTILINE)
    return sorted(set(names))


def _plain(argument: str) -> str:
    return re.sub(r"\s*\*\s*", "*", " ".join(argument.split()))
