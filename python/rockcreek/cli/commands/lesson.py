"""`rck lesson`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rockcreek import printable
from rockcreek.cli.common import say
from rockcreek.errors import UsageError
from rockcreek.exit_codes import ExitCode

if TYPE_CHECKING:
    from rockcreek.lessons.exercise import Exercise
    from rockcreek.lessons.judge import Verdict

NOT_YET = 1


@click.command(
    epilog="""Examples:

\b
  rck lesson                        the exercises
  rck lesson ring                   what there is to do; writes ring.c
  rck lesson ring --check ring.c    whether it is mended: exit code 0, else 1
  rck lesson ring --solution        a mended program
"""
)
@click.option("--output", metavar="FILE", help="Write the program here.  [default: NAME.c]")
@click.option("--force", is_flag=True, help="Overwrite a file that exists.")
@click.option(
    "--check", metavar="FILE", help="Check this program against the exercise's requirements."
)
@click.option("--solution", is_flag=True, help="Print a program that passes.")
@click.argument("name", required=False)
def lesson(
    name: str | None, output: str | None, force: bool, check: str | None, solution: bool
) -> int:
    """Mend a broken program; what `rck` finds in it is the check.

    There are ten exercises: deadlocks, errors that nobody looks at, stale data, races, imbalance,
    caches. NAME is an exercise or its number.
    """
    from rockcreek.lessons import exercise

    if name is None:
        if output or check or solution:
            raise UsageError("which exercise?", hint="for example `rck lesson ring`")
        _list(exercise.all_of_them())
        return ExitCode.OK
    if sum((output is not None, check is not None, solution)) > 1:
        raise UsageError("--output, --check and --solution exclude each other")
    chosen = exercise.named(name)
    if solution:
        click.echo(chosen.solution.read_text(encoding="utf-8"), nl=False)
    elif check is not None:
        from rockcreek.lessons.judge import judge

        return _tell(chosen, check, judge(chosen, Path(check)))
    else:
        _begin(chosen, output or f"{chosen.name}.c", force=force)
    return ExitCode.OK


def _list(exercises: list[Exercise]) -> None:
    width = max(len(one.name) for one in exercises)
    for one in exercises:
        click.echo(f"{one.about.number:2}  {one.name:{width}}  {one.about.title}")


def _begin(chosen: Exercise, path: str, *, force: bool) -> None:
    """The task, and the program beside it; a program that is there already stays."""
    from rockcreek.outputs import Output

    click.echo(chosen.text, nl=False)
    if Path(path).exists() and not force:
        say(f"rck: {path} is there already and stays as it is (--force writes it anew)")
        return
    with Output(path, force=force) as file:
        file.write(chosen.program.read_bytes())
    say(f"rck: the program is {path}; then: rck lesson {chosen.name} --check {path}")


def _tell(chosen: Exercise, path: str, verdict: Verdict) -> int:
    if verdict.passed:
        click.echo(f"{chosen.name}: passed ({verdict.time_ps / 1e9:.3f} ms of simulated time)")
        return ExitCode.OK
    click.echo(f"{chosen.name}: not yet: {printable.name(path)}")
    for finding in verdict.findings:
        click.echo(f"  {finding.kind}: {printable.message(finding.text)}")
        if finding.hint:
            click.echo(f"    hint: {printable.message(finding.hint)}")
    for text in verdict.wrong:
        click.echo("  " + printable.message(text).replace("\n", "\n    ").rstrip())
    return NOT_YET
