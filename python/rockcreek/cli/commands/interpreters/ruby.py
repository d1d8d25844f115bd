"""`rck ruby` and `rck irb`: `rck run` with the interpreter that `make ruby` builds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from rockcreek.cli.commands.run import run

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
    """The number of words that an option of `rck run` takes; None if there is no such option."""
    for parameter in run.params:
        if isinstance(parameter, click.Option) and option in parameter.opts:
            return 0 if parameter.is_flag else parameter.nargs
    return 1 if option == "--gems" else None


@click.command(
    context_settings=_SETTINGS,
    add_help_option=False,
    options_metavar="[OPTIONS OF RUN] [--gems FOLDER] [OPTIONS OF RUBY]",
    epilog=f"""Examples:

\b
  rck ruby hello.rb                     on one core
  rck ruby -n 48 ring.rb 1000           on 48 cores; 1000 is the script's argument
  rck ruby -e 'puts RUBY_VERSION'
  rck ruby -n 4 --timeout 1m -w pi.rb   -n and --timeout are rck's, -w is Ruby's
  rck ruby --share . app/main.rb        guests see this folder as /, not only app
  rck ruby --gems gems app.rb           RubyGems, and pure Ruby gems of a folder (GEM_HOME)
  rck irb                               a session on one core

Each core runs its own Ruby. The script's folder is the guests' /; Ruby's standard library is
there without a word. `require "rcce"` sends strings between cores, `require "drb/rcce"` calls
objects of others. A core starts no processes: fork, system and IO.popen raise
NotImplementedError. RubyGems, did_you_mean and error_highlight are off unless --gems is given.

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
    ours, share, gems = _ours(words.ours)
    folder, line = place.shared(words, share)
    if words.script not in (None, "-") and not place.is_right(Path(str(words.script))):
        ours = [*ours, *_on_one_core(ours)]
    start = place.start(line, gems)
    options = [*ours, "--share", folder]
    for mounted, there in start.mounts.items():
        options += ["--mount", f"{there}=/{mounted}"]
    for variable, value in start.env.items():
        options += ["--env", f"{variable}={value}"]
    result = run.main([*options, str(program), *start.line], prog_name=name, standalone_mode=False)
    return int(result or 0)


def _ours(words: Sequence[str]) -> tuple[list[str], str | None, str | None]:
    """Options of `rck run` as they stand, but for the folders."""
    kept: list[str] = []
    folders: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        option, equals, value = word.partition("=")
        taken = [value] if equals else [rest.pop(0) for _ in range(_takes(option) or 0)]
        if option in ("--share", "--gems"):
            folders[option] = taken[0]
        else:
            kept += [word] if equals else [word, *taken]
    return kept, folders.get("--share"), folders.get("--gems")


def _on_one_core(words: Sequence[str]) -> list[str]:
    """The first core alone says what is wrong with a script, as one of several."""
    options = [word.partition("=")[0] for word in words]
    if "--cores" in options or "-n" not in options:
        return []
    tagged = [] if "--tag" in options else ["--tag", "core"]
    return ["-n", "1", *tagged]
