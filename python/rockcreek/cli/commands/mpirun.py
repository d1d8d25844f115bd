"""`rck mpirun`: `rck run`, with MPI's words for it."""

from __future__ import annotations

import os

import click

from rockcreek.cli import likely_mistakes, mpi_words
from rockcreek.cli.commands.run import run
from rockcreek.cli.given import take_values_once

CHANNELS = ("original", "improved", "bells")
WAITS = ("poll", "interrupts")


class _MpiCommand(click.Command):
    """Knows the words of other launchers as well."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, mpi_words.translate(args, self, run))


@click.command(
    cls=_MpiCommand,
    context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True},
    add_help_option=False,
    options_metavar="[OPTIONS]",
    epilog="""Examples:

\b
  rck mpirun -n 48 ring                       one rank on each core
  rck mpirun -np 16 --channel original ring   by the first channel of RCKMPI
  rck mpirun --cores 0,47 --json r.json pingpong
  rck mpirun -n 1 --universe 48 --with worker master   master may start 47 of worker
  rck mpirun -n 48 --jobs 24,24 two                    two jobs, which meet by ports

Channels: original (the receiver's message buffer is cut into a section for each rank), improved
(small sections, and a general one at the sender), bells (improved, and a receiver looks only where
something was written).
""",
)
@click.option("-n", "-np", "processes", type=int, metavar="N", help="Ranks, on cores 0 to N-1.")
@click.option(
    "--channel", type=click.Choice(CHANNELS), help="How messages go.  [default: improved]"
)
@click.option("--wait", type=click.Choice(WAITS), help="How ranks wait.  [default: poll]")
@click.option(
    "--universe", type=int, metavar="N", help="Cores 0 to N-1 are there for MPI_Comm_spawn, too."
)
@click.option(
    "--with",
    "others",
    multiple=True,
    metavar="PROG",
    help="Another program that may be spawned (repeat).",
)
@click.option("--jobs", metavar="N,N", help="Several jobs of these sizes instead of one.")
@click.option("--wdir", "-wdir", metavar="DIR", help="Where ranks begin, in the folder of --share.")
@click.option("-h", "--help", "wants_help", is_flag=True, help="Show this message and exit.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[OPTIONS OF RUN] PROG...")
@click.pass_context
def mpirun(
    ctx: click.Context,
    processes: int | None,
    channel: str | None,
    wait: str | None,
    universe: int | None,
    others: tuple[str, ...],
    jobs: str | None,
    wdir: str | None,
    wants_help: bool,
    arguments: tuple[str, ...],
) -> int:
    """Run a program of MPI: `rck run`, with MPI's words for it; a rank is a core.

    All other options are those of `rck run`. Other launchers' words are taken where they mean
    something on one chip (-hostfile, -genv, -x, -ppn, --oversubscribe, `:` between parts of one
    program), or refused by name.
    """
    if wants_help or not arguments:
        click.echo(ctx.get_help())
        return 0 if wants_help else 64
    own = ["-n", str(processes)] if processes is not None else []
    own += ["--env", f"RCKMPI_CHANNEL={channel}"] if channel is not None else []
    own += ["--env", f"RCKMPI_WAIT={wait}"] if wait is not None else []
    own += ["--env", f"RCKMPI_WDIR={wdir}"] if wdir is not None else []
    own += _universe(processes or 1, universe, others, jobs, arguments)
    if not {"-q", "--quiet"} & set(arguments):
        likely_mistakes.say_without_mpi(program_of(arguments))
    take_values_once(run)
    result = run.main([*own, *arguments], prog_name="rck mpirun", standalone_mode=False)
    return int(result or 0)


def _universe(
    processes: int,
    universe: int | None,
    others: tuple[str, ...],
    jobs: str | None,
    arguments: tuple[str, ...],
) -> list[str]:
    """Options of `rck run` for jobs that start or meet others (systems/rckmpi/job)."""
    options = []
    if jobs is not None:
        sizes = [int(size) if size.isdigit() else 0 for size in jobs.split(",")]
        if 0 in sizes or sum(sizes) != processes:
            raise click.BadParameter(
                f"'{jobs}' are not the sizes of jobs of {processes} ranks together, such as"
                f" {processes - 1},1",
                param_hint="--jobs",
            )
        options += ["--env", f"RCKMPI_JOBS={jobs}"]
        universe = universe or processes
    if universe is None:
        if others:
            raise click.UsageError("--with: nothing can be started without --universe")
        return options
    if universe < processes:
        raise click.BadParameter(
            f"{universe} is less than {processes} ranks", param_hint="--universe"
        )
    options += ["--env", f"RCKMPI_UNIVERSE=0-{universe - 1}"]
    options += ["--env", f"RCKMPI_LAUNCHED=0-{processes - 1}"]
    # The program of the launch is the first of those that may be started.
    names = [os.path.basename(path) for path in (program_of(arguments), *others)]
    options += ["--env", f"RCKMPI_PROGRAMS={','.join(names)}"]
    for path in others:
        options += ["--reserve-program", path]
    if universe > processes:
        options += ["--reserve", f"{processes}-{universe - 1}"]
    return options


def program_of(arguments: tuple[str, ...]) -> str:
    """PROG of `rck run`'s arguments."""
    with run.make_context("run", list(arguments), resilient_parsing=True) as context:
        return str(context.params["program"] or "")
