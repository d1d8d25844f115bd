"""`rck run`: a program on cores of the chip."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack

import click

from rockcreek.cli import (
    host_environment,
    likely_mistakes,
    linux_job,
    original_launcher,
    run_options,
)
from rockcreek.cli.common import finish
from rockcreek.cli.given import RunGiven
from rockcreek.description import core_lists

if TYPE_CHECKING:
    from rockcreek.running.options import TermValues

_EPILOG = """Examples:

\b
  rck run hello                              one core
  rck run -n 48 ring 1000                    48 cores; 1000 is the program's argument
  rck run --cores 0,10,40-47 --share . sum data.txt
  rck run --share . --mount build/lib=/lib sum data.txt   /lib cannot be changed
  rck run -n 2 --timeout 10s --json r.json pingpong
  rck run -n 4 --tag time --until 5ms prog
  rck run -nue 4 -f hosts -clock 0.533 prog  as the original launcher
  rck run -n 8 --messages --json r.json prog, then: rck plot messages r.json --out r.png
  rck run -n 48 --view run.html prog         one page: die, messages, timeline
  rck run -n 48 --kernel l4 hello            under a microkernel
  rck run -n 8 --kernel linux pingpong       under a Linux on each core
  rck run -n 8 --kernel smp threads          under one Linux for all of them
  rck run -n 4 --until 5ms --save s.rck prog, then: rck run --restore s.rck

Exit code: 0 if every core returned 0, else the code of the lowest-numbered core that failed.
rck's own codes: 64 usage, 65 bad program file, 66 file not found, 70 bug in rck, 71 too little
memory or open files on the host, 74 output failed, 75 timeout or deadlock, 76 guest fault (signal
or kernel panic), 78 chip description, 130 Ctrl-C.

Durations are a number and a unit (ns, us, ms, s); a bare number is seconds.
"""


KERNELS = ("rck", "l4", "linux", "smp")


class _Cores(click.ParamType[list[int]]):
    name = "cores"

    def convert(self, value: Any, param: click.Parameter | None, ctx: Any) -> list[int]:
        if isinstance(value, list):
            return value
        try:
            return core_lists.parse_spans(str(value)) if value else []
        except core_lists.NoCoreListError:
            self.fail(f"'{value}' is not a list of core numbers such as 0,10,40-47", param, ctx)


CORES = _Cores()


class _StdinCores(click.ParamType["str | int"]):
    name = "CORE|all|none"

    def convert(self, value: Any, param: click.Parameter | None, ctx: Any) -> str | int:
        if value in ("all", "none", "first"):
            return str(value)
        try:
            return int(value)
        except ValueError:
            self.fail(f"'{value}' is neither a core number nor `all` nor `none`", param, ctx)


@click.command(
    context_settings={"allow_interspersed_args": False, "ignore_unknown_options": False},
    epilog=_EPILOG,
    options_metavar="[OPTIONS]",
)
@click.option(
    "-n", "-np", "n", type=int, metavar="N", help="Run on N cores, 0 to N-1.  [default: 1]"
)
@click.option("--cores", type=CORES, metavar="LIST", help="Run on these cores, in rank order.")
@click.option("-nue", "nue", type=int, metavar="N", help="As -n, or the first N of -f.")
@click.option("-f", "hosts", metavar="HOSTS", help="Run on the cores of this file, in its order.")
@click.option("-clock", "clock", type=float, metavar="GHZ", help="Clock of the cores: 0.533.")
@click.option("--share", metavar="DIR", help="Let the guests see this folder as /.")
@click.option(
    "--mount",
    "mounted",
    multiple=True,
    metavar="DIR=/NAME",
    help="Let the guests read this folder as /NAME (repeat); with --restore: another one.",
)
@click.option(
    "--stdin",
    "stdin_cores",
    type=_StdinCores(),
    default="first",
    metavar="CORE|all|none",
    help="The core that reads standard input.  [default: the first one]",
)
@click.option(
    "--threads-model",
    type=click.Choice(("crf", "strong", "lazy", "uncached")),
    help="Model of shared memory for a program's threads.  [default: crf]",
)
@click.option("--env", multiple=True, metavar="A=B", help="Set a variable of the guests (repeat).")
@click.option(
    "--reserve",
    type=CORES,
    metavar="LIST",
    help="Load these cores, too, but leave them in reset: a program starts them.",
)
@click.option(
    "--reserve-program",
    "reserve_programs",
    multiple=True,
    metavar="PROG",
    help="Another program that cores of --reserve may run (repeat).",
)
@click.option(
    "--kernel",
    type=click.Choice(KERNELS),
    default=KERNELS[0],
    help="The kernel that the program runs under; l4: a microkernel; linux: see rck linux;"
    " smp: one Linux for all cores, see rck smp."
    "  [default: rck]",
)
@click.option("--strace", is_flag=True, help="Show the guests' system calls on stderr.")
@click.option(
    "--messages", is_flag=True, help="Show how much each core sent to each core; also in --json."
)
@click.option(
    "--view",
    metavar="FILE.html",
    help="Write the page of `rck view`, with messages and samples (of 100us, or --sample).",
)
@run_options.terms_options
@click.argument("program", metavar="PROG", required=False)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[ARGS]...")
def run(
    program: str | None,
    arguments: tuple[str, ...],
    n: int | None,
    cores: list[int] | None,
    nue: int | None,
    hosts: str | None,
    clock: float | None,
    share: str | None,
    mounted: tuple[str, ...],
    stdin_cores: str | int,
    threads_model: str | None,
    env: tuple[str, ...],
    reserve: list[int] | None,
    reserve_programs: tuple[str, ...],
    kernel: str,
    strace: bool,
    messages: bool,
    view: str | None,
    **given: Unpack[RunGiven],
) -> int:
    """Run PROG on cores of the virtual chip; everything behind PROG belongs to PROG.

    PROG is a static program for the i586, as `rck cc` makes it. Each core boots its own
    kernel and runs its own copy. Guest output is written to stdout, each line tagged with its
    core if several run; the summary goes to stderr.
    """
    from rockcreek.consoles.guest_input import FdSource
    from rockcreek.running.host_limits import allow_open_files
    from rockcreek.running.run_job import Job, execute
    from rockcreek.software import mounts

    allow_open_files()
    n, cores = original_launcher.choose(n, cores, nue, hosts)
    given["clocks"] = original_launcher.clocks(clock, given["clocks"], given["chip"])
    check_start(given["restore"], {"-n": n, "--cores": cores, **_of_a_start(given)})
    run_options.check(given)
    if not given["quiet"]:
        likely_mistakes.say_misplaced(program, arguments, n or cores)
    if kernel in ("linux", "smp"):
        return _under_linux(kernel, n, cores, given["clocks"], parse_variables(env))
    terms: TermValues = {**run_options.fields(given)}
    terms.update(run_options.view_fields(view, given["sample"]))
    result = execute(
        Job(
            program or "",
            arguments,
            n=n,
            cores=cores,
            original_arguments=nue is not None,
            share=share,
            mounts=mounts.parse(mounted),
            threads_model=threads_model,
            env=host_environment.openmp(program, parse_variables(env), quiet=given["quiet"]),
            reserve=reserve or (),
            reserve_programs=reserve_programs,
            stdin=FdSource(0),
            stdin_cores=stdin_cores,
            strace=strace,
            kernel=kernel,
            messages=messages or view is not None,
            **terms,
        )
    )
    return finish(result, json_path=given["json_path"], quiet=given["quiet"])


def _of_a_start(given: RunGiven) -> dict[str, object]:
    """What else was given that a snapshot has behind it, by option; None: it was not."""
    words = click.get_current_context().params
    return {
        "PROG": words["program"],
        "--kernel": None if words["kernel"] == KERNELS[0] else words["kernel"],
        "--stdin": None if words["stdin_cores"] == "first" else words["stdin_cores"],
        "--env": words["env"] or None,
        "--threads-model": words["threads_model"],
        "--reserve": words["reserve"],
        "--strace": words["strace"] or None,
        **run_options.of_a_start(given),
    }


def _under_linux(
    kernel: str,
    n: int | None,
    cores: list[int] | None,
    clocks: str | None,
    env: Mapping[str, str],
) -> int:
    """A Linux on each core, or one for all."""
    if kernel == "linux":
        return linux_job.run_file({"n": n, "cores": cores, "clocks": clocks, "env": env})
    from rockcreek.cli.commands import smp

    return smp.run_file(env, n, cores)


def check_start(restore: str | None, given: Mapping[str, object]) -> None:
    """A run begins with a program or with a snapshot."""
    if restore is None and given["PROG"] is None:
        raise click.UsageError("Missing argument 'PROG'.", click.get_current_context())
    named = [name for name, value in given.items() if value is not None]
    if restore is not None and named:
        text = f"--restore and {named[0]}: the snapshot says what runs, and how it was started"
        raise click.UsageError(text, click.get_current_context())


def parse_variables(texts: tuple[str, ...]) -> dict[str, str]:
    """`A=B` of each `--env`; a name given twice is a mistake."""
    variables: dict[str, str] = {}
    for text in texts:
        name, separator, value = text.partition("=")
        if not separator or not name:
            raise click.BadParameter(f"'{text}' is not of the form NAME=VALUE", param_hint="--env")
        if name in variables:
            raise click.BadParameter(f"{name} is set twice", param_hint="--env")
        variables[name] = value
    return variables
