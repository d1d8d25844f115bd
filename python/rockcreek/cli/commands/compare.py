"""`rck compare`."""

from __future__ import annotations

from itertools import islice

import click

from rockcreek.errors import InputError, NotFoundError
from rockcreek.exit_codes import ExitCode

_SHOWN_MAX = 20


@click.command(
    epilog="""Examples:

\b
  rck compare a.json b.json        results; what depends on the host is left out
  rck compare --log a.log b.log    the first instruction or transaction that differs

Exit code: 0 if they are the same, 1 if they differ.
"""
)
@click.option("--log", "logs", is_flag=True, help="Compare commit logs, not results.")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
def compare(a: str, b: str, logs: bool) -> int:
    """Find where two results (JSON) or two commit logs part."""
    if logs:
        return _compare_logs(a, b)
    from rockcreek.results.differences import differences, load_result

    found = list(islice(differences(load_result(a), load_result(b)), _SHOWN_MAX + 1))
    for line in found[:_SHOWN_MAX]:
        click.echo(line)
    if len(found) > _SHOWN_MAX:
        click.echo("... and more")
    return ExitCode.DIFFERENT if found else ExitCode.OK


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
