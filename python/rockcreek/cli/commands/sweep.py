"""`rck sweep`."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from rockcreek.cli.common import say
from rockcreek.exit_codes import ExitCode

_SHOWN_MAX = 20


@click.command(
    epilog="""Examples:

\b
  rck sweep plan.toml                              rows into out/plan/runs.parquet
  rck sweep plan.toml --jobs 2 --out far/away
  rck sweep plan.toml --csv runs.csv               for spreadsheets, too
  rck sweep plan.toml --scheduler tcp://host:8786  on the workers of a Dask cluster

The same command goes on where it was stopped, however that was. Exit code: 0, or 1 if runs failed;
they are listed, and all others are in the table. docs/guide/campaigns.md describes plans.
"""
)
@click.option("--out", metavar="DIR", help="Where the table lies.  [default: out/PLAN's name]")
@click.option("--jobs", type=click.IntRange(1), help="Runs side by side.  [default: processors]")
@click.option(
    "--scheduler", metavar="ADDRESS", help="Run on this Dask scheduler; trust it as yourself."
)
@click.option("--csv", metavar="FILE", help="Write the table as CSV, too.")
@click.option("--force", is_flag=True, help="Overwrite a CSV file that exists.")
@click.option("--anew", is_flag=True, help="Begin again, whatever is done already.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.argument("plan", metavar="PLAN.toml")
def sweep(
    plan: str,
    out: str | None,
    jobs: int | None,
    scheduler: str | None,
    csv: str | None,
    force: bool,
    anew: bool,
    quiet: bool,
) -> int:
    """Run a program at all points of a plan, into one Parquet file."""
    from rockcreek.outputs import Output
    from rockcreek.sweep import read_plan
    from rockcreek.sweep import sweep as run

    read = read_plan(plan)
    step = max(1, len(read.points) // 20)

    def tell(progress: object) -> None:
        from rockcreek.sweep.sweep import Progress

        assert isinstance(progress, Progress)
        if not quiet and (progress.done % step == 0 or progress.done == progress.points):
            left = "" if progress.left_s is None else f", about {progress.left_s:.0f} s left"
            say(f"rck: {progress.done} of {progress.points} runs, {progress.failed} failed{left}")

    target = out or str(Path("out") / read.name)
    # Opened before anything runs: what cannot be written is said at once.
    with nullcontext() if csv is None else Output(csv, force=force) as table:
        done = run(
            read,
            target,
            jobs=jobs,
            scheduler=scheduler,
            anew=anew,
            tell=tell,
            warn=lambda text: say(f"rck: {text}"),
        )
        if table is not None:
            table.write(done.table.to_csv())
    for index, why in [*done.failed.items(), *done.lost.items()][:_SHOWN_MAX]:
        say(f"rck: point {index} {dict(read.points[index])}: {why}")
    more = len(done.failed) + len(done.lost) - _SHOWN_MAX
    if more > 0:
        say(f"rck: ... and {more} more points that failed")
    click.echo(
        f"{len(done.table)} runs, {len(done.failed) + len(done.lost)} failed: {done.parquet}"
    )
    return ExitCode.DIFFERENT if done.failed or done.lost else ExitCode.OK
