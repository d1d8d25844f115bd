"""Small languages that are read from files: tokens with places, errors with places, the command.

What a system's front end needs around its grammar (`systems/lpel/snet.py`, `systems/lino/lino.py`).
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


class NotationError(Exception):
    """A mistake in a text, with its line and column."""


@dataclass(frozen=True)
class Token:
    """A word or sign, and where it stands; empty where the text ends."""

    text: str
    line: int
    column: int

    @property
    def where(self) -> str:
        """line:column"""
        return f"{self.line}:{self.column}"

    @property
    def before(self) -> str:
        """For "something should stand"."""
        return f"before '{self.text}'" if self.text else "here, where the text ends"

    def error(self, problem: str) -> NotationError:
        """An error here."""
        return NotationError(f"line {self.line}, column {self.column}: {problem}")


def tokens(
    text: str, pattern: re.Pattern[str], hints: Mapping[str, str] | None = None
) -> list[Token]:
    """The tokens of a text, and an empty one at its end.

    What the pattern's group `skip` matches is none; `hints` are for characters that begin no token.

    >>> [t.where for t in tokens("a  b", re.compile(r"(?P<skip>\\s+)|\\w+"))]
    ['1:1', '1:4', '1:5']
    """
    found = []
    at, line, start = 0, 1, 0
    while at < len(text):
        match = pattern.match(text, at)
        if match is None:
            hint = (hints or {}).get(text[at], "")
            raise Token(text[at], line, at - start + 1).error(f"unexpected '{text[at]}'{hint}")
        if match.lastgroup != "skip":
            found.append(Token(match[0], line, at - start + 1))
        newlines = match[0].count("\n")
        if newlines:
            line += newlines
            start = at + match[0].rindex("\n") + 1
        at = match.end()
    return [*found, Token("", line, at - start + 1)]


def front_end(
    name: str,
    about: str | None,
    arguments: Sequence[str],
    work: Callable[[str, Path, Path | None], str],
) -> int:
    """`name FILE [--out DIR]`: prints the result of `work(text, file, out)`; returns 1 on error."""
    parser = argparse.ArgumentParser(
        prog=name, description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--out", type=Path, help="the folder for the output")
    options = parser.parse_args(arguments)
    try:
        if options.out is not None:
            options.out.mkdir(parents=True, exist_ok=True)
        told = work(options.file.read_text(), options.file, options.out)
    except (OSError, UnicodeDecodeError, NotationError) as error:
        print(f"{name}: {options.file}: {error}", file=sys.stderr)
        return 1
    print(told, end="")
    return 0
