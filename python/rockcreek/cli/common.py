"""What commands share: durations, checks of output files, how a run ends."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from rockcreek import printable
from rockcreek.results.result import Result
from rockcreek.units import parse_bytes, parse_duration_ps


class Duration(click.ParamType[int]):
    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: Any) -> int:
        return value if isinstance(value, int) else parse_duration_ps(value)


class Size(click.ParamType[int]):
    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: Any) -> int:
        return value if isinstance(value, int) else parse_bytes(value)


def say(text: str) -> None:
    """One message on stderr; a stderr that is gone is no reason to fail."""
    try:
        print(printable.message(text), file=sys.stderr, flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def finish(result: Result, *, json_path: str | None, quiet: bool) -> int:
    """Prints the errors and the summary of a run, and returns its exit code."""
    from rockcreek.results.summary import stuck, summarize

    for error in (*result.errors, *result.unsaved):
        say(error.render())
    if result.messages is not None:
        from rockcreek.results import messages

        say(messages.tell(result.messages))
    if result.findings is not None:
        from rockcreek.checking import report

        say(report.tell(result.findings, file=json_path))
    if not quiet:
        say(summarize(result))
    elif told := stuck(result):
        say(told.removesuffix("\n"))
    if result.host.profile is not None:
        from rockcreek.results import host_profile

        say(host_profile.describe(result.host.profile))
    return result.exit_code
