"""`rck ruby` and `rck irb`: `rck run` with the interpreter that `make ruby` builds.

With `--kernel linux` it is `rck linux run`, with that command's options.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack, cast

import click

from rockcreek.cli import linux_job
from rockcreek.cli.commands import linux
from rockcreek.cli.commands.run import parse_variables, run
from rockcreek.cli.common import say
from rockcreek.cli.given import LinuxProgram, RunParams

if TYPE_CHECKING:
    from rockcreek.interpreters.ruby import Start, Words
    from rockcreek.linux.program import Program
    from rockcreek.running.options import TermValues

_SETTINGS = {
    "ignore_unknown_options": True,
    "allow_interspersed_args": False,
    "help_option_names": [],
}
_CODES = """Exit code: Ruby's own (0; 1 for an exception, a script that is missing or has wrong
syntax; what exit was given), of the lowest-numbered core that failed. 66: Ruby is not built. All
others as `rck run` has them: 75 timeout, 130 Ctrl-C.
"""
# Options of `rck run` that belong to the start of a program.
_OF_A_START = (
    "-n", "-np", "--cores", "--chip", "--clocks", "--jitter", "--env", "--mount", "--stdin",
)  # fmt: skip
# Options that a run needs from its beginning.
_NEVER_LATER = (
    "-nue", "-f", "-clock", "--threads-model", "--reserve", "--reserve-program", "--strace",
    "--roi", "--check", "--save", "--restore",
)  # fmt: skip


def _takes(option: str) -> int | None:
    """The number of words that an option of rck's takes; None if there is no such option."""
    for parameter in (*run.params, *linux.run.params):
        names = (*parameter.opts, *parameter.secondary_opts)
        if isinstance(parameter, click.Option) and option in names:
            return 0 if parameter.is_flag else parameter.nargs
    return {"--gems": 1, "--started": 0}.get(option)


@click.command(
    context_settings=_SETTINGS,
    add_help_option=False,
    options_metavar="[OPTIONS OF RUN] [--gems FOLDER] [--started] [OPTIONS OF RUBY]",
    epilog=f"""Examples:

\b
  rck ruby hello.rb                     on one core
  rck ruby -n 48 ring.rb 1000           on 48 cores; 1000 is the script's argument
  rck ruby -e 'puts RUBY_VERSION'
  rck ruby -n 4 --timeout 1m -w pi.rb   -n and --timeout are rck's, -w is Ruby's
  rck ruby --share . app/main.rb        guests see this folder as /, not only app
  rck ruby --gems gems app.rb           RubyGems, and pure Ruby gems of a folder (GEM_HOME)
  rck ruby --started -n 48 map.rb       go on from a kept snapshot of 48 started Rubies
  rck ruby --kernel linux -n 2 talk.rb  under a Linux on each core: sockets, processes
  rck irb                               a session on one core

Each core runs its own Ruby. The script's folder is the guests' /; Ruby's standard library is
there without a word. `require "rcce"` sends strings between cores, `require "drb/rcce"` calls
objects of others. A core starts no processes: fork, system and IO.popen raise
NotImplementedError. RubyGems, did_you_mean and error_highlight are off unless --gems is given.

With --started the script begins in a Ruby that has started already: a snapshot of the chip at 0.3
s, kept beside the interpreter, made the first time for these cores, clocks and variables. Of Ruby's
options it takes -e, -r, -I and -w; on several cores standard input is no terminal.

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
    if not place.is_right(words):
        ours = [*ours, *_on_one_core(ours)]
    elif "--started" in own:
        return _go_on(name, program, words, ours, (folder, line), own)
    if own.get("--kernel") == "linux":
        if name == "rck irb":
            raise click.UsageError("--kernel linux: a session needs rck's own kernel")
        if words.script == "-" and not _names(ours, "--stdin"):
            ours += ["--stdin", "-"]
        return _under_linux(ours, line, folder, own.get("--gems"))
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


def _go_on(
    name: str,
    program: Path,
    words: Words,
    ours: Sequence[str],
    seen: tuple[str, Sequence[str]],
    own: Mapping[str, str],
) -> int:
    """The rest of a run, from a kept snapshot of a started Ruby; `seen` by the guests are the
    script's folder and Ruby's command line in it."""
    from rockcreek.cli.scratch import scratch
    from rockcreek.interpreters import started
    from rockcreek.outputs import write_whole

    folder, line = seen
    text = started.words(words, line)
    of_start, options = _split(ours, _OF_A_START)
    for option in (*_NEVER_LATER, "--kernel"):
        if _names(options, option) or option in own:
            raise click.UsageError(f"{option} and --started: a snapshot has begun without it")
    path = _kept(name, program, of_start, started.start(own.get("--gems")), options)
    with scratch("rck-words-") as place:
        write_whole(Path(place, "words"), text)
        options += ["--restore", str(path), "--share", folder]
        options += ["--mount", f"{place}=/{started.FOLDER}"]
        return int(run.main(options, prog_name=name, standalone_mode=False) or 0)


def _kept(
    name: str, program: Path, of_start: Sequence[str], start: Start, options: Sequence[str]
) -> Path:
    """The snapshot in which Ruby has started with these options of `rck run`."""
    from rockcreek.consoles.guest_input import FdSource, MemorySource
    from rockcreek.interpreters import started
    from rockcreek.running.host_limits import allow_open_files
    from rockcreek.running.run_job import Job
    from rockcreek.software import mounts

    given = cast("RunParams", run.make_context(name, [*of_start, str(program)]).params)
    alone = len(given["cores"] or range(given["n"] or 1)) == 1
    job = Job(
        program,
        start.line,
        n=given["n"],
        cores=given["cores"],
        chip=given["chip"],
        clocks=given["clocks"],
        jitter=given["jitter"],
        share=start.mounts[started.FOLDER],
        mounts={**mounts.parse(given["mounted"]), **start.mounts},
        env={**start.env, **parse_variables(tuple(given["env"]))},
        # Whether it is a terminal is part of a start: not where one snapshot is for all.
        stdin=MemorySource(b"", terminal=alone and FdSource(0).terminal),
        stdin_cores=given["stdin_cores"],
    )
    allow_open_files()
    quiet = bool({"-q", "--quiet"} & set(options))
    terms: TermValues = {"progress": not quiet, "say": say}
    return started.snapshot(job, terms=terms, say=(lambda _: None) if quiet else say)


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
    served, kept = _split(words, ("--share", "--gems", "--kernel", "--started"))
    own: dict[str, str] = {}
    while served:
        option, equals, value = served.pop(0).partition("=")
        own[option] = value if equals or not _takes(option) else served.pop(0)
    return kept, own


def _split(words: Sequence[str], names: Collection[str]) -> tuple[list[str], list[str]]:
    """The options of these names with their values, and all others with theirs."""
    named: list[str] = []
    others: list[str] = []
    rest = list(words)
    while rest:
        option, equals, _ = rest[0].partition("=")
        count = 1 if equals else 1 + (_takes(option) or 0)
        (named if option in names else others).extend(rest[:count])
        del rest[:count]
    return named, others


def _on_one_core(words: Sequence[str]) -> list[str]:
    """The first core alone says what is wrong with a script, as one of several."""
    if _names(words, "--cores") or not _names(words, "-n"):
        return []
    tagged = [] if _names(words, "--tag") else ["--tag", "core"]
    return ["-n", "1", *tagged]
