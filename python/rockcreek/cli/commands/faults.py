"""`rck faults`."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import click

from rockcreek.cli.commands.run import CORES
from rockcreek.cli.common import say
from rockcreek.outputs import Outputs
from rockcreek.sweep import workers

if TYPE_CHECKING:
    from rockcreek.faults.campaign import Perform
    from rockcreek.faults.plan import Plan
    from rockcreek.results.result import Result

_EPILOG = """Examples:

\b
  rck faults --fault mpb@300us..400us --runs 100 -n 2 pingpong
  rck faults --fault plan.toml --runs 500 --jobs 4 --json table.json -n 2 pingpong

Each run has one fault of the plan, in turn, and draws by its own seed (--seed, --seed + 1 ...)
what the plan leaves open. Its outcome:

\b
  masked        output and exit codes are those of the run without faults
  detected      an exit code is another one
  wrong result  the output is another one, and the exit codes tell nothing
  hang          it did not end: cores wait for ever, or for four times as long and 2 ms
  crash         a core was killed by a signal, or its kernel panicked

The same table comes of the same plan, seed and program, with any number of jobs.
"""


@dataclass(frozen=True)
class _Runner:
    """A run of the campaign's program; it travels to other processes."""

    program: str
    arguments: tuple[str, ...]
    n: int | None
    cores: tuple[int, ...] | None
    chip: str

    def __call__(self, plan: Plan | None, seed: int | None, until_ps: int | None) -> Result:
        from rockcreek.running.run_job import run

        return run(
            self.program,
            self.arguments,
            n=self.n,
            cores=self.cores,
            chip=self.chip,
            until_ps=until_ps,
            faults=plan,
            fault_seed=seed,
        ).one_of_many()


def _performer(jobs: int) -> Perform:
    """Side by side in processes; a single one runs in this process."""
    if jobs > 1:
        return partial(workers.perform, jobs=min(jobs, os.cpu_count() or 1))
    return lambda function, tasks: ((n, function(*task), None) for n, task in enumerate(tasks))


@click.command(
    context_settings={"allow_interspersed_args": False}, epilog=_EPILOG, options_metavar="[OPTIONS]"
)
@click.option(
    "--fault",
    "plans",
    multiple=True,
    required=True,
    metavar="PLAN",
    help="A plan of faults, as for rck run (repeat).",
)
@click.option(
    "--runs", type=click.IntRange(1), default=100, help="Runs with a fault.  [default: 100]"
)
@click.option(
    "--seed", type=click.IntRange(0), default=0, help="Seed of the first run.  [default: 0]"
)
@click.option("-n", "n", type=int, metavar="N", help="Run on N cores, 0 to N-1.  [default: 1]")
@click.option("--cores", type=CORES, metavar="LIST", help="Run on these cores, in rank order.")
@click.option("--chip", default="scc", metavar="FILE|PRESET", help="The chip.  [default: scc]")
@click.option("--jobs", type=click.IntRange(1), default=1, help="Runs side by side.  [default: 1]")
@click.option("--json", "json_path", metavar="FILE", help="Write table and runs as JSON.")
@click.option("--force", is_flag=True, help="Overwrite a file that exists.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.argument("program", metavar="PROG")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[ARGS]...")
def faults(
    plans: tuple[str, ...],
    runs: int,
    seed: int,
    n: int | None,
    cores: list[int] | None,
    chip: str,
    jobs: int,
    json_path: str | None,
    force: bool,
    quiet: bool,
    program: str,
    arguments: tuple[str, ...],
) -> int:
    """Run PROG many times, each time with a fault, and print a table of what became of it."""
    from rockcreek.faults import campaign
    from rockcreek.faults import plan as fault_plan

    where = None if cores is None else tuple(cores)
    runner = _Runner(program, arguments, n, where, chip)
    series = campaign.Campaign(runner, fault_plan.read(plans), seed)

    def done(count: int) -> None:
        if not quiet and (count % 50 == 0 or count == runs):
            say(f"rck: {count} of {runs} runs")

    # The table is printed even if the file cannot be written.
    with Outputs({"json": json_path}, force=force) as outputs:
        measure = series.measure()
        outcomes = series.each(measure, runs, _performer(jobs), done)
        rows = campaign.table(outcomes)
        click.echo(campaign.as_text(rows))
        document: campaign.CampaignDocument = {
            "schema": {"name": "rockcreek-faults", "version": 1},
            "program": measure.program,
            "seed": seed,
            "table": [dict(zip(rows[0], row, strict=True)) for row in rows[1:]],
            "runs": [one.to_dict() for one in outcomes],
        }
        outputs.write("json", lambda to: to.write(json.dumps(document, indent=1) + "\n"))
    outputs.check()
    return 0
