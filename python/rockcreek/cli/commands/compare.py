"""`rck compare`."""

from __future__ import annotations

import json
from itertools import islice
from typing import cast

import click

from rockcreek.errors import InputError, NotFoundError
from rockcreek.exit_codes import ExitCode
from rockcreek.formats.common import Headed
from rockcreek.formats.result import Result
from rockcreek.results.result import SCHEMA_NAME

_SHOWN_MAX = 20


@click.command(
    epilog="""Examples:

\b
  rck compare a.json b.json          what changed, the largest change first
  rck compare --json a.json b.json   the same for machines
  rck compare --places a.json b.json every place where the two documents part
  rck compare --log a.log b.log      the first instruction or transaction that differs

What depends on the host is left out. Exit code: 0 if they are the same, 1 if they differ.
"""
)
@click.option("--log", "logs", is_flag=True, help="Compare commit logs, not results.")
@click.option("--places", is_flag=True, help="List the places of the documents that differ.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
def compare(a: str, b: str, logs: bool, places: bool, as_json: bool) -> int:
    """Show the important differences of two results (JSON), or the first of two commit logs.

    Time, instructions, misses, traffic, waiting, energy of two runs, with relative changes, and
    cores that changed otherwise than the rest. Nothing is printed if nothing differs.
    """
    if logs:
        if places or as_json:
            raise click.UsageError("--log prints one place, as text only")
        return _compare_logs(a, b)
    from rockcreek.reading import result
    from rockcreek.results.differences import differences

    left, right = result.load(a), result.load(b)
    found = list(islice(differences(left, right), _SHOWN_MAX + 1))
    are_runs = all(_is_run(document) for document in (left, right))
    if are_runs and not places and (found or as_json):
        _tell(left, right, found, as_json=as_json)
    elif as_json:
        click.echo(json.dumps({"same": not found, "places": found}, indent=2))
    else:
        _list(found)
    return ExitCode.DIFFERENT if found else ExitCode.OK


def _is_run(document: Headed) -> bool:
    return bool(document["schema"]["name"] == SCHEMA_NAME)


def _tell(left: Headed, right: Headed, places: list[str], *, as_json: bool) -> None:
    from rockcreek.results import comparison

    told = comparison.compare(cast("Result", left), cast("Result", right))
    if as_json:
        document = {**told.to_dict(), "equal": not places}
        click.echo(json.dumps(document, indent=2))
        return
    lines = list(comparison.tell(told))
    for line in lines:
        click.echo(line)
    if not told.measures:
        # Nothing that anybody measures: so where.
        _list(places)


def _list(found: list[str]) -> None:
    for line in found[:_SHOWN_MAX]:
        click.echo(line)
    if len(found) > _SHOWN_MAX:
        click.echo("... and more")


def _compare_logs(a: str, b: str) -> int:
    from rockcreek import _native

    for path in (a, b):
        try:
            open(path, "rb").close()
        except OSError as error:
            raise NotFoundError(f"{path}: {error.strerror}", path=path) from error
    try:
        difference = _native.compare_logs(a, b)
    except (OSError, ValueError) as error:
        raise InputError(
            f"{error}", path=a, hint="`rck run --commit-log FILE` writes commit logs"
        ) from error
    if difference is None:
        return ExitCode.OK
    click.echo(difference)
    return ExitCode.DIFFERENT
