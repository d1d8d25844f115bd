"""`rck why`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from rockcreek.exit_codes import ExitCode
from rockcreek.formats.result import Result

if TYPE_CHECKING:
    from rockcreek.reading.trace import Slice


@click.command(
    epilog="""Examples:

\b
  rck run -n 8 --json r.json prog, then: rck why r.json
  rck run -n 8 --json r.json --messages --trace t.pftrace prog
  rck why r.json --trace t.pftrace          with the critical path
  rck why r.json --profile p.json           with source lines (rck run --profile p.json)
  rck why --json r.json                     for machines

Causes: slow-tile, imbalance, hot-controller, memory-bandwidth, memory-latency, serial-barrier,
synchronisation, late-messages, lock, sharing, false-sharing, board, work.
"""
)
@click.option("--trace", metavar="FILE", help="The trace of the same run.")
@click.option("--profile", metavar="FILE", help="The profile of the same run.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.argument("run", metavar="RUN.json")
def why(run: str, trace: str | None, profile: str | None, as_json: bool) -> int:
    """Explain in words what a run spent its time on, who waited for whom, and what would help.

    The result alone says how cores, controllers and clocks were used. A trace adds the critical
    path through messages, barriers and locks; a profile adds source lines. What was not recorded is
    named with the option that records it.
    """
    from rockcreek.errors import InputError
    from rockcreek.reading import profile as profiles
    from rockcreek.reading import result as results
    from rockcreek.reading import trace as traces
    from rockcreek.why import explain

    document = results.load_run(run)
    profiled = None if profile is None else profiles.load(profile)
    if profiled is not None and profiled["state_hash"] != document["state_hash"]:
        raise InputError(
            f"{profile}: is the profile of another run than {run}",
            path=str(profile),
            hint="write both in one run: rck run --json RUN.json --profile FILE PROG",
        )
    slices = None if trace is None else traces.load(trace)
    if slices is not None and not _fits(document, slices):
        raise InputError(
            f"{trace}: is the trace of another run than {run}",
            path=str(trace),
            hint="write both in one run: rck run --json RUN.json --trace FILE PROG",
        )
    found = explain.explain(document, slices, profiled)
    if as_json:
        click.echo(found.to_json())
        return ExitCode.OK
    for line in explain.tell(found, explain.label_of(document)):
        click.echo(line)
    return ExitCode.OK


def _fits(document: Result, slices: Sequence[Slice]) -> bool:
    cores = {one["core"] for one in document["cores"]}
    return all(one.core in cores and one.end_ps <= document["time_ps"] for one in slices)
