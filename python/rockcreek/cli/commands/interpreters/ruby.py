"""`rck ruby` and `rck irb`: `rck run` with the interpreter that `make ruby` builds.

With `--kernel linux` it is `rck linux run`, with that command's options.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from rockcreek.cli import linux_job
from rockcreek.cli.commands import linux
from rockcreek.cli.commands.interpreters.started import Rest, split
from rockcreek.cli.commands.run import parse_variables, run
from rockcreek.cli.given import LinuxProgram

if TYPE_CHECKING:
    from rockcreek.linux.program import Program

_SETTINGS = {
    "ignore_unknown_options": True,
    "allow_interspersed_args": False,
    "help_option_names": [],
}
_CODES = """Exit code: Ruby's own (0; 1 for an exception, a script that is missing or has wrong
syntax; what exit was given), of the lowest-numbered core that failed. 66: Ruby is not built. All
others as `rck run` has them: 75 timeout, 130 Ctrl-C.
"""


def _takes(option: str) -> int | None:
    """The number of words that an option of rck's takes; None if there is no such option."""
    for parameter in (*run.params, *linux.run.params):
        names = (*parameter.opts, *parameter.secondary_opts)
        if isinstance(parameter, click.Option) and option in names:
            return 0 if parameter.is_flag else parameter.nargs
    return 1 if option == "--gems" else None


@click.command(
    context_settings=_SETTINGS,
    add_help_option=False,
    options_metavar="[OPTIONS OF RUN] [--gems FOLDER] [--fresh] [OPTIONS OF RUBY]",
    epilog=f"""Examples:

\b
  rck ruby hello.rb                     on one core
  rck ruby -n 48 ring.rb 1000           on 48 cores; 1000 is the script's argument
  rck ruby -e 'puts RUBY_VERSION'
  rck ruby -n 4 --timeout 1m -w pi.rb   -n and --timeout are rck's, -w is Ruby's
  rck ruby --share . app/main.rb        guests see this folder as /, not only app
  rck ruby --gems gems app.rb           RubyGems, and pure Ruby gems of a folder (GEM_HOME)
  rck ruby --fresh -n 48 map.rb         start Ruby in this run
  rck ruby --kernel linux -n 2 talk.rb  under a Linux on each core: sockets, processes
  rck irb                               a session on one core

Each core runs its own Ruby. The script's folder is the guests' /; Ruby's standard library is
there without a word. `require "rcce"` sends strings between cores, `require "drb/rcce"` calls
objects of others. A core starts no processes: fork, system and IO.popen raise
NotImplementedError. RubyGems, did_you_mean and error_highlight are off unless --gems is given.

The first run on some cores starts Ruby there and keeps a snapshot of the chip at 0.3 s; later runs
go on from it at once. Other clocks, variables or mounts have snapshots of their own. Ruby starts in
the run itself with --fresh, with options of Ruby but -e, -r, -I, -w and -W, and with --strace,
--until, --roi, --check, --fault, --commit-log, --gdb and --save.

With --kernel linux the script's folder is /host, options are those of `rck linux run`, each Linux
has 256M unless --memory is given, and the cores are rck00 to rck47 for TCPSocket, UDPSocket and
druby://. With --no-network the message buffers are free for `require "rcce"`.

{_CODES}""",
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="SCRIPT [ARGS]...")
@click.pass_context
def ruby(ctx: click.Context, words: tuple[str, ...]) -> int:
    """Run a Ruby script on cores of the virtual chip (CRuby 3.1; `make ruby` builds it)."""
    if not words or words in (("-h",), ("--help",)):
        click.echo(ctx.get_help())
        return 0 if words else 64
    return _run("rck ruby", words)


@click.command(
    context_settings=_SETTINGS,
    add_help_option=False,
    options_metavar="[OPTIONS OF RUN]",
    epilog=f"""Example:

\b
  rck irb
  echo 'p 2**100' | rck irb -q

{_CODES}""",
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="")
@click.pass_context
def irb(ctx: click.Context, words: tuple[str, ...]) -> int:
    """Begin a session of Ruby on one core; it sees the current folder as /."""
    if words in (("-h",), ("--help",)):
        click.echo(ctx.get_help())
        return 0
    start = ("-rirb", "-e", "IRB.start('irb')", "--")
    return _run("rck irb", (*words, *start))


def _run(name: str, given: Sequence[str]) -> int:
    from rockcreek.interpreters import ruby as place

    program = place.interpreter()
    words = place.take_apart(given, _takes)
    if words.script is None and not words.program_text and not words.alone:
        words.script = "-"
    ours, own = _ours(words.ours)
    folder, line = place.shared(words, own.get("--share"))
    right = place.is_right(words)
    if not right:
        ours = [*ours, *_on_one_core(ours)]
    if own.get("--kernel") == "linux":
        if name == "rck irb":
            raise click.UsageError("--kernel linux: a session needs rck's own kernel")
        if words.script == "-" and not _names(ours, "--stdin"):
            ours += ["--stdin", "-"]
        ours += ["--fresh"] if "--fresh" in own else []
        return _under_linux(ours, line, folder, own.get("--gems"))
    if right and own.get("--kernel", "rck") == "rck" and "--fresh" not in own:
        rest = Rest(name, program, ours, _takes, words, (folder, line), own.get("--gems"))
        code = rest.go_on()
        if code is not None:
            return code
    if "--kernel" in own:
        ours += ["--kernel", own["--kernel"]]
    start = place.start(line, own.get("--gems"))
    options = [*ours, "--share", folder]
    for mounted, there in start.mounts.items():
        options += ["--mount", f"{there}=/{mounted}"]
    for variable, value in start.env.items():
        options += ["--env", f"{variable}={value}"]
    result = run.main([*options, str(program), *start.line], prog_name=name, standalone_mode=False)
    return int(result or 0)


def _under_linux(ours: Sequence[str], line: Sequence[str], folder: str, gems: str | None) -> int:
    """`rck linux run` with its options, and Ruby as its program."""
    from rockcreek.interpreters import ruby_linux

    def start(**given: Unpack[LinuxProgram]) -> int:
        def made(file: Path | None) -> Program:
            return ruby_linux.program(
                given["command"],
                folder,
                parse_variables(given["env"]),
                gems=gems,
                network=given["network"] is not False,
                stdin=file,
            )

        return linux_job.run_made(made, given)

    command = click.Command("ruby", linux.run.context_settings, start, linux.run.params)
    memory = [] if _names(ours, "--memory") else ["--memory", ruby_linux.MEMORY]
    words = [*memory, *ours, "--", *line]
    return int(command.main(words, prog_name="rck ruby", standalone_mode=False) or 0)


def _names(words: Sequence[str], option: str) -> bool:
    """Whether the option is given."""
    return option in (word.partition("=")[0] for word in words)


def _ours(words: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Options of rck's as they stand, but for those that are ours to serve, by name."""
    served, kept = split(words, ("--share", "--gems", "--kernel", "--fresh"), _takes)
    own: dict[str, str] = {}
    while served:
        option, equals, value = served.pop(0).partition("=")
        own[option] = value if equals or not _takes(option) else served.pop(0)
    return kept, own


def _on_one_core(words: Sequence[str]) -> list[str]:
    """The first core alone says what is wrong with a script, as one of several."""
    if _names(words, "--cores") or not _names(words, "-n"):
        return []
    tagged = [] if _names(words, "--tag") else ["--tag", "core"]
    return ["-n", "1", *tagged]
