"""A reader of the front end, with a good input and the way that it is read.

A reader answers with an exit code, as commands do; `rockcreek.cli.main` is called in this process.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from rockcreek.cli import main
from rockcreek.errors import RockcreekError
from rockcreek.exit_codes import ExitCode

_LARGE = 4096


@dataclass(frozen=True)
class Target:
    """One reader."""

    name: str
    kind: str  # json, toml, lines, elf, bytes
    good: bytes
    read: Callable[[str], int]
    # Of many inputs it gets so many parts; None: by its size, for that is what it takes.
    share: float | None = None
    # Exit codes besides those of all readers.
    more_codes: frozenset[int] = frozenset()

    @property
    def weight(self) -> float:
        """The share of many inputs: small files take a hundredth of the time of large ones."""
        if self.share is not None:
            return self.share
        return 0.3 if self.kind == "elf" else 1.0 if len(self.good) > _LARGE else 4.0


def rck(*arguments: str) -> Callable[[str], int]:
    """A command; `{}` stands for the input."""

    def run(path: str) -> int:
        quiet = io.StringIO()
        with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
            code = main([word.replace("{}", path) for word in arguments])
        if code == 70:
            raise AssertionError(quiet.getvalue()[-3000:])
        return code

    return run


def call(function: Callable[[str], Any]) -> Callable[[str], int]:
    """A reader of the package; its errors have exit codes of their own."""

    def run(path: str) -> int:
        try:
            function(path)
        except RockcreekError as error:
            return int(error.exit_code)
        except click.UsageError:
            return int(ExitCode.USAGE)  # as the command does
        return 0

    return run
