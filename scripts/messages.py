"""Writes docs/guide/messages.md: what rck says of typical mistakes, and what to do then.

The table of messages is that of the tests: each program of tests/mistakes makes one mistake, and
its first lines say which, and what rck must print. `python scripts/messages.py` writes the page; a
test holds it equal to the programs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MISTAKES = ROOT / "tests/mistakes"
TARGET = ROOT / "docs/guide/messages.md"
HEAD = """\
# I see this message, what now?

After this page you can find the mistake behind a message of `rck run`.

Each row of the tables has a message that `rck` prints, a mistake that causes the message, and the
hint, if `rck` prints one with the message. In a message `...` stands for text that differs from
program to program. Each row comes from a program of `tests/mistakes`: a test runs the program and
demands the message, and for all programs but `no_share.c` a second test mends the mistake and
demands that `rck` reports nothing.

The numbers of cores and UEs in the messages are those of these programs. Further pages:
[deadlocks](deadlocks.md), [findings of `--check`](checking.md), [exit codes](exit-codes.md),
[faults and core files](debugging.md).
"""
# Mistakes that only change the result, and what finds them.
SILENT = {
    "RCCE: a put or get without a flag or barrier, a buffer that is written again too early, a"
    " forgotten flush": "`rck run --check coherence` ([page](checking.md))",
    "threads: variables without a lock, a loop variable that is shared, `nowait` before a use, a"
    " variable of a function that has returned while the thread uses it":
        "`rck run --check races` ([page](thread-races.md))",
    "accesses beyond a block of `malloc`, or to a freed one":
        "`rck run --check memory` ([page](memory.md))",
    "a variable without a value, `private` where `firstprivate` is meant":
        "`rck run --check unwritten`; threads with `-n 1`"
        " ([page](memory.md#values-that-were-never-written))",
    "an index beyond an array that is no block of `malloc`":
        "`rck cc -fsanitize=bounds`; by a pointer, `rck cc -O2 -fsanitize=undefined`, where the"
        " compiler sees the array; beyond a local array, `-fstack-protector-all`",
    "the buffer of `MPI_Isend` or `iRCCE_isend` is written before the wait":
        "nothing: look at what stands between the two calls",
    "an iterator at the end of a container is used": "nothing",
}  # fmt: skip
FOOT = """
## A wrong result, and no message

Some mistakes only change the result. A run without `--check` does not tell them:

| mistake | what finds it |
| --- | --- |
"""
# Folders of programs, and what the page calls them.
PARTS = {
    "c": "C",
    "cxx": "C++",
    "files": "Files",
    "faults": "Faults",
    "rcce": "RCCE: messages and collectives",
    "rcce_memory": "RCCE: memory, flags and locks",
    "rcce_order": "RCCE: begin, end, and waiting for each other",
    "mpi": "MPI",
    "pthread": "pthreads: calls that fail",
    "threads": "Threads that wait for ever",
    "openmp": "OpenMP",
}
_KEY = r"(?:cc|run|also|also-slow|stdin|share|expect-[a-z]+|slow|mpi|mutant):"
_LINE = re.compile(rf"//\s?(?:({_KEY})\s?)?(.*)")
# What a regular expression leaves open, and what it only protects.
_OPEN = re.compile(r"\[[^\]]*\][*+]?|\\[wdS][*+]?(?:,\\d\\d\\d)?|\.[*+]\??")
_DOTS = "..."
_MORE = "(?s:.*)"  # between a message and its hint, some lines below
# Where something went wrong, not what.
_WHERE = re.compile(r"at |called from |core \d\d \(tile \d,\d\) in ")
# A function with its file and line, or these alone.
_PLACE = re.compile(r"[\w:~<>.]+ \(\w[\w.]*:[\d.]+\)|\w+\.c(?:pp)?:\d+")


@dataclass(frozen=True)
class Mistake:
    """A program that makes one."""

    what: str
    messages: tuple[str, ...]
    hints: tuple[str, ...]


def read(path: Path) -> Mistake | None:
    """The mistake of a program; None if rck has nothing to say of it."""
    what: list[str] = []
    said: list[str] = []
    for line in path.read_text().splitlines():
        match = _LINE.match(line)
        if match is None:
            break
        key, text = match.groups()
        if key is None and not said:
            what.append(text)
        elif key == "expect-stderr:":
            said += [plain(part) for part in text.split(_MORE)]
    hints = tuple(text.partition("hint: ")[2] for text in said if "hint: " in text)
    messages = tuple(text for text in said if "hint: " not in text and not _WHERE.match(text))
    return Mistake(" ".join(what), messages, hints) if messages else None


def plain(expression: str) -> str:
    """A regular expression as the text that it stands for; places in programs are left open."""
    text = re.sub(r"\\(.)", r"\1", _OPEN.sub(_DOTS, expression)).removeprefix("rck: ")
    return re.sub(r"(\.\.\.,?)+(?<!,)", _DOTS, _PLACE.sub(_DOTS, text))


def _code(text: str) -> str:
    escaped = text.replace("|", "\\|")
    fence = "``" if "`" in escaped else "`"
    space = " " if "`" in escaped else ""
    return f"{fence}{space}{escaped}{space}{fence}"


def _row(mistake: Mistake) -> str:
    hints = "; ".join(text.replace("|", "\\|") for text in mistake.hints)
    return f"| {_code(mistake.messages[0])} | {mistake.what} | {hints} |"


def _tables() -> Iterator[str]:
    for folder, title in PARTS.items():
        paths = sorted((MISTAKES / folder).glob("*.c*"))
        found = [mistake for path in paths if (mistake := read(path)) is not None]
        if found:
            yield f"\n## {title}\n\n| message | mistake | what to do |\n| --- | --- | --- |\n"
            yield from (f"{_row(mistake)}\n" for mistake in found)


def page() -> str:
    """The page as text."""
    return (
        HEAD
        + "".join(_tables())
        + FOOT
        + "".join(f"| {what} | {way} |\n" for what, way in SILENT.items())
    )


if __name__ == "__main__":
    TARGET.write_text(page())
