"""`rck linux`: a Linux on each core, as `make linux` builds it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, cast

import click
from click.core import ParameterSource

from rockcreek import cli
from rockcreek.cli import linux_job, run_options
from rockcreek.cli.commands.linux_top import top
from rockcreek.cli.commands.run import parse_variables
from rockcreek.cli.common import finish, say
from rockcreek.cli.given import LinuxBare, LinuxProgram, LinuxShell, Reached

if TYPE_CHECKING:
    from rockcreek.running.options import TermValues

_EPILOG = """Examples:

\b
  rck linux                                a shell on core 0 of one Linux
  rck linux -n 2                           two Linuxes, a shell on the first one
  rck linux shell 17 --cores 16,17         a shell on core 17
  rck linux run -n 8 uname -n              a program on eight cores
  rck linux run -n 8 --json r.json ./hello the current folder is the cores' /host
  rck linux --forward 8080=rck00:80        a shell; port 8080 of this host leads to its httpd
  rck linux -n 48 --socket chip.sock       a shell; `rck linux top chip.sock` shows all cores
  rck linux clean                          remove the booted chips that are kept

The first use boots the cores and keeps a snapshot of them beside the images; later uses continue
it. `make linux` builds kernel and root file system. Ctrl-] ends a shell.
"""


def _chosen(command: Any) -> Any:
    options = (
        click.option(
            "-n", "n", type=int, metavar="N", help="Boot the cores 0 to N-1.  [default: 1]"
        ),
        click.option("--cores", metavar="LIST", help="Boot these cores."),
        click.option(
            "--memory", default="64M", metavar="SIZE", help="Memory of each Linux.  [default: 64M]"
        ),
        click.option(
            "--append", default="", metavar="TEXT", help="More words on Linux's command line."
        ),
        click.option("--fresh", is_flag=True, help="Boot again, even if a snapshot exists."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _reached(command: Any) -> Any:
    options = (
        click.option(
            "--forward",
            multiple=True,
            metavar="PORT=CORE:PORT",
            help="Let a port of this host lead to a core's: 2222=rck00:22 (repeat).",
        ),
        click.option("--packets", metavar="FILE", help="Record the packets of --forward (pcapng)."),
    )
    for option in reversed(options):
        command = option(command)
    return command


_SOCKET = click.option(
    "--socket", metavar="PATH", help="Let `rck linux top PATH` and others look at the chip."
)


@click.group(invoke_without_command=True, epilog=_EPILOG)
@_chosen
@_reached
@_SOCKET
@click.pass_context
def linux(ctx: click.Context, /, **chosen: Unpack[LinuxBare]) -> int:
    """Boot a Linux on each core, and use them.

    Without a command: a shell on the first core. Each Linux has the devices /dev/rckncm,
    /dev/rckdcm and /dev/rckmpb, a network to the others (mb0: rck00 is 192.168.0.1), and the
    current folder of the host as /host.
    """
    if ctx.invoked_subcommand is not None:
        _refuse(ctx, chosen)
        return 0
    return _shell(None, chosen, quiet=False)


def _refuse(ctx: click.Context, chosen: Iterable[str]) -> None:
    """Options of the group are for its own use; a command has them behind its name."""
    for name in chosen:
        if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT:
            word = "-n" if name == "n" else f"--{name.replace('_', '-')}"
            text = f"{word} goes behind the command: rck linux {ctx.invoked_subcommand} {word} ..."
            raise click.UsageError(text, ctx)


@linux.command(context_settings={"allow_interspersed_args": False})
@_chosen
@_reached
@click.option(
    "--replay-packets",
    metavar="FILE",
    help="Give the cores the packets of a record of --packets again, at their instants.",
)
@click.option("--env", multiple=True, metavar="A=B", help="Set a variable (repeat).")
@click.option(
    "--stdin",
    type=click.File("rb"),
    metavar="FILE",
    help="The program's stdin on each core; - is that of this command.  [default: empty]",
)
@click.option(
    "--network/--no-network",
    default=None,
    help="Keep mb0 up, or take it down first.  [default: down for programs of RCCE or MPI]",
)
@click.option(
    "--messages", is_flag=True, help="Show how much each core sent to each core; also in --json."
)
@run_options.terms_options
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def run(**given: Unpack[LinuxProgram]) -> int:
    """Run a program of Linux on each core, and end with its exit code.

    COMMAND is found on the cores' PATH, or is a file below the current folder (./prog), which the
    cores see as /host. It is a job: a program of RCCE, iRCCE or MPI finds ranks and cores, and has
    the message buffers for itself. Output is tagged with its core.
    """
    from rockcreek.linux import program

    variables = parse_variables(given["env"])

    def made(file: Path | None) -> program.Program:
        return program.in_folder(
            given["command"], ".", variables, network=given["network"], stdin=file
        )

    return linux_job.run_made(made, given)


@linux.command()
@_chosen
@_reached
@_SOCKET
@click.option("-q", "--quiet", is_flag=True, help="No summary and no progress.")
@click.argument("core", type=int)
def shell(core: int, **given: Unpack[LinuxShell]) -> int:
    """Sit at the shell of CORE until Ctrl-]; without -n and --cores, it alone boots."""
    if given["n"] is None and given["cores"] is None:
        given["cores"] = str(core)
    return _shell(core, given, quiet=given["quiet"])


linux.add_command(top)


@linux.command()
def clean() -> int:
    """Remove the snapshots that are kept."""
    from rockcreek.linux import kept

    count, size = kept.clean()
    noun = "snapshot" if count == 1 else "snapshots"
    say(f"rck: {count} {noun} removed, {size / 1e6:.0f} MB")
    return 0


def _shell(core: int | None, chosen: LinuxBare, *, quiet: bool) -> int:
    from rockcreek.consoles.console import Sink
    from rockcreek.linux import start

    choice = linux_job.choice(chosen)
    first = choice.cores[0] if core is None else core
    start.check_core(choice, first)
    outside = linux_job.reached(cast("Reached", chosen), choice.cores)
    start.check_keys(reached=bool(chosen["forward"] or chosen["socket"]))
    path = linux_job.snapshot(choice, fresh=chosen["fresh"], quiet=quiet)
    terms: TermValues = {
        "forward": outside["forward"],
        "packets": outside["packets"],
        "replay_packets": outside["replay_packets"],
        "socket": chosen["socket"],
        "stdout": Sink("stdout", 1),
        "stderr": Sink("stderr", 2),
        "say": say,
    }
    terms["sandbox"] = "auto" if cli.Process.is_ours else "off"
    result = start.shell(path, first, share=".", terms=terms)
    return finish(result, json_path=None, quiet=quiet)
