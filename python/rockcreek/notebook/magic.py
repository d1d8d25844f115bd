"""The cell magic `%%rck`: a cell of C, compiled, and run on cores of the chip.

IPython is never imported: it hands over its shell, and shows what the magic returns.
"""

from __future__ import annotations

import shlex
import sys
from typing import Any, Protocol

import click

from rockcreek.cli.common import Duration
from rockcreek.compile_program import DEFAULT_FLAGS, compile
from rockcreek.description import core_lists
from rockcreek.errors import RockcreekError, UsageError
from rockcreek.results.result import Result
from rockcreek.running.run_job import run
from rockcreek.units import PS_PER_SECOND


class Shell(Protocol):
    """What the magic needs of IPython's shell."""

    user_ns: dict[str, Any]  # the names of the notebook: anything

    def register_magic_function(
        self, func: Any, magic_kind: str, magic_name: str | None
    ) -> None: ...


@click.command(
    "%%rck",
    context_settings={"help_option_names": ["-h", "--help"], "allow_interspersed_args": False},
    epilog="""Examples:

\b
  %%rck -n 48                        the cell is C; RCCE is linked
  %%rck -n 8 --messages --power 100  100 is the program's argument
  %%rck -n 4 --cc "-O2 -fopenmp"     flags of the compiler, in place of -O2 -lrcce
  %%rck -n 16 --mpi --result ring    MPI; the result is also the variable `ring`
""",
)
@click.option("-n", "n", type=int, default=1, help="Run on cores 0 to N-1.  [default: 1]")
@click.option("--cores", metavar="LIST", help="Run on these cores, in rank order: 0,10,40-47.")
@click.option("--cc", "flags", default=shlex.join(DEFAULT_FLAGS), help="Flags of the compiler.")
@click.option("--mpi", is_flag=True, help="The cell uses MPI.")
@click.option("--cxx", is_flag=True, help="The cell is C++.")
@click.option("--chip", default="scc", metavar="FILE|PRESET", help="The chip description.")
@click.option("--clocks", metavar="T/M/D", help="MHz of tiles, mesh, memory data.")
@click.option("--messages", is_flag=True, help="Record who sends how much to whom.")
@click.option("--power", is_flag=True, help="Record the energy.")
@click.option("--sample", type=Duration(), metavar="T", help="Record activity in each T.")
@click.option("--check", metavar="KINDS", help="coherence or races, as in `rck run --check`.")
@click.option("--until", type=Duration(), metavar="T", help="End at simulated time T.")
@click.option("--timeout", type=Duration(), metavar="T", help="End after host time T.")
@click.option("--result", "name", metavar="NAME", help="The variable for the result, too.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def _magic(context: click.Context, /, n: int, cores: str | None, **given: Any) -> Result:
    """Compile the cell, run it on cores of the chip, and show what it printed and the result."""
    try:
        chosen = None if cores is None else core_lists.parse_spans(cores)
    except core_lists.NoCoreListError:
        raise click.BadParameter(f"'{cores}' is no list such as 0,10,40-47") from None
    program = compile(
        text=context.obj, flags=shlex.split(given["flags"]), mpi=given["mpi"], cxx=given["cxx"]
    )
    return run(
        program,
        given["arguments"],
        n=n if chosen is None else None,
        cores=chosen,
        chip=given["chip"],
        clocks=given["clocks"],
        messages=given["messages"],
        power=given["power"],
        sample_every_ps=given["sample"],
        check=tuple(given["check"].split(",")) if given["check"] else (),
        until_ps=given["until"],
        timeout_s=None if given["timeout"] is None else given["timeout"] / PS_PER_SECOND,
    )


def cell(shell: Shell, line: str, text: str) -> Result | None:
    """What `%%rck LINE` does with the text below it; None if only help was asked for."""
    try:
        with _magic.make_context("%%rck", shlex.split(line), obj=text) as context:
            result: Result = _magic.invoke(context)
            name = context.params["name"]
    except click.exceptions.Exit:
        return None
    except (click.ClickException, ValueError) as error:
        what = error.format_message() if isinstance(error, click.ClickException) else str(error)
        raise _quiet(UsageError(f"%%rck: {what}", hint="`%rck --help` lists the options")) from None
    except RockcreekError as error:
        raise _quiet(error) from None
    sys.stdout.write(result.stdout.decode(errors="replace"))
    sys.stderr.write(result.stderr.decode(errors="replace"))
    for problem in (*result.errors, *result.unsaved):
        print(problem.render(), file=sys.stderr)
    if name:
        shell.user_ns[name] = result
    return result


def _quiet(error: RockcreekError) -> RockcreekError:
    """The error, which IPython then shows without the way to it: message and hint."""
    error._render_traceback_ = lambda: [error.render()]  # type: ignore[attr-defined]
    return error


def load_ipython_extension(shell: Shell) -> None:
    """What `%load_ext rockcreek` calls."""

    told = _magic.get_help(click.Context(_magic, info_name="%%rck"))

    def rck(line: str, text: str | None = None) -> Result | None:
        if text is None:
            # `%rck`, a line alone.
            print(told)
            return None
        return cell(shell, line, text)

    rck.__doc__ = told
    shell.register_magic_function(rck, "line_cell", "rck")
