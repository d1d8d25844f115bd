"""What commands share: durations, checks of output files, how a run ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from rockcreek.errors import OutputError
from rockcreek.results.result import Result
from rockcreek.units import parse_duration_ps


class Duration(click.ParamType[int]):
    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: Any) -> int:
        return value if isinstance(value, int) else parse_duration_ps(value)


def say(text: str) -> None:
    """One message on stderr; a stderr that is gone is no reason to fail."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def check_output_file(path: str, *, force: bool) -> None:
    """Refuse before the run what could not, or must not, be written after it."""
    target = Path(path)
    if target.is_file() and not force:
        raise OutputError(
            f"{path}: exists already", path=path, hint="choose another name, or add --force"
        )
    if target.is_dir() or not target.absolute().parent.is_dir():
        what = "is a folder" if target.is_dir() else "its folder does not exist"
        raise OutputError(f"{path}: {what}", path=path, hint="name a file in an existing folder")


def write_output_file(path: str, text: str) -> None:
    """Write a whole file, or say why not."""
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise OutputError(
            f"{path}: {error.strerror}", path=path, hint="the result was not saved"
        ) from error


def finish(result: Result, *, json_path: str | None, quiet: bool) -> int:
    """What went wrong, the result as a file, the summary; the exit code."""
    from rockcreek.results import messages
    from rockcreek.results.summary import summarize

    for error in result.errors:
        say(error.render())
    if json_path is not None:
        write_output_file(json_path, result.to_json())
    if result.messages is not None:
        say(messages.tell(result.messages))
    if result.findings is not None:
        from rockcreek.checking import report

        say(report.tell(result.findings, where=json_path))
    if not quiet:
        say(summarize(result))
    if result.host.profile is not None:
        from rockcreek.results import host_profile

        say(host_profile.describe(result.host.profile))
    return result.exit_code
