"""What a suite is made of: programs to build, and what became of each."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "conformance"


@dataclass(frozen=True)
class Program:
    """One program at one optimisation level, and how it is run."""

    name: str
    sources: tuple[Path, ...]
    flags: tuple[str, ...] = ()
    # The compiler of the sources: clang (rck cc) or gcc.
    compiler: str = "clang"
    # More words of the link: objects, archives, -lm.
    link: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    # Files that lie in the program's folder, by the name they have there.
    files: tuple[tuple[str, Path], ...] = ()
    # A program that is built already.
    binary: Path | None = None
    # Why it is not asked.
    skip: str | None = None
    # Why it may differ from the native run.
    known: str | None = None
    # Lines of output that are not compared: a regular expression that begins them.
    ignore: str | None = None
    # How long its native run may take; a guest may take many times that.
    patience_s: int = 10


@dataclass(frozen=True)
class Ending:
    """What a run of a program showed."""

    stdout: bytes
    stderr: bytes
    # The exit code, or minus the signal that ended it.
    code: int
    # Each file in its folder, with a digest of what is in it.
    files: tuple[tuple[str, str], ...] = ()

    def without(self, lines: str | None) -> Ending:
        """A text without the lines that begin so."""
        if lines is None:
            return self
        begin = re.compile(lines.encode())
        stdout = [line for line in self.stdout.splitlines(True) if not begin.match(line)]
        return Ending(b"".join(stdout), self.stderr, self.code, self.files)

    def differs_from(self, other: Ending) -> str | None:
        """What is different, in a few words."""
        if self.code != other.code:
            return f"exit {self.code}, native {other.code}"
        if self.stdout != other.stdout:
            return f"stdout: {_first_difference(self.stdout, other.stdout)}"
        if self.stderr != other.stderr:
            return f"stderr: {_first_difference(self.stderr, other.stderr)}"
        if self.files != other.files:
            names = sorted({name for name, _ in set(self.files) ^ set(other.files)})
            return f"files: {', '.join(names)}"
        return None


def _first_difference(ours: bytes, theirs: bytes) -> str:
    """The first line in which two outputs differ."""
    left, right = ours.splitlines(), theirs.splitlines()
    for number, (one, two) in enumerate(zip(left, right, strict=False), 1):
        if one != two:
            return f"line {number}: {one[:120]!r}, native {two[:120]!r}"
    return f"{len(left)} lines, native {len(right)}"


@dataclass
class Built:
    """A program that is ready to run, and what the host's processor made of it."""

    program: Program
    binary: Path
    native: Ending


@dataclass
class Verdict:
    """What became of one program."""

    program: Program
    # passed | known | different | skipped
    outcome: str
    why: str = ""
    # The exit code of the native run (None if there was none).
    native_code: int | None = None


@dataclass
class Tally:
    """The verdicts of one suite, and what its runs cost."""

    verdicts: list[Verdict] = field(default_factory=list)
    instructions: int = 0
    seconds: float = 0.0

    def add(self, verdict: Verdict) -> None:
        self.verdicts.append(verdict)

    def count(self, outcome: str) -> int:
        return sum(verdict.outcome == outcome for verdict in self.verdicts)

    @property
    def failed_on_both(self) -> int:
        """Programs that end with an error natively too: the compiler's matter, not the chip's."""
        return sum(v.outcome == "passed" and v.native_code != 0 for v in self.verdicts)

    def reasons(self) -> dict[str, int]:
        """How many were skipped for which reason."""
        found: dict[str, int] = {}
        for verdict in self.verdicts:
            if verdict.outcome == "skipped":
                found[verdict.why] = found.get(verdict.why, 0) + 1
        return found
