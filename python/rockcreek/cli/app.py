"""The command group: finds the commands, and turns every error into one message and a code."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from contextlib import suppress
from importlib import import_module

import click

from rockcreek._version import __version__
from rockcreek.cli import Process
from rockcreek.cli.given import take_values_once
from rockcreek.errors import OutputError, RockcreekError, is_lack_of_memory, lack_of_memory
from rockcreek.exit_codes import ExitCode
from rockcreek.loading import load_into_own_process
from rockcreek.printable import nearest, with_words

# Command: (module below rockcreek.cli.commands, one line of help). The lines stand here so that
# `rck --help` loads no command.
_COMMANDS = {
    "run": ("run", "Run a program on the cores of the virtual chip."),
    "boot": ("boot", "Boot kernels and images on bare cores."),
    "linux": ("linux", "Boot a Linux on each core, and run programs there."),
    "smp": ("smp", "Boot one Linux with several processors."),
    "examples": ("examples", "List or copy programs that come ready to run."),
    "cc": ("toolchain", "Compile C or C++ for the chip."),
    "c++": ("toolchain", "Compile C++ for the chip."),
    "ar": ("toolchain", "Make a static library of chip objects."),
    "ranlib": ("toolchain", "Write the index of a static library."),
    "mpicc": ("toolchain", "Compile C that uses MPI."),
    "mpicxx": ("toolchain", "Compile C++ that uses MPI."),
    "cmake": ("toolchain", "Print CMake's toolchain file for the chip."),
    "meson": ("toolchain", "Print Meson's cross file for the chip."),
    "pkg-config": ("toolchain", "Ask pkg-config about the chip's libraries."),
    "mpirun": ("mpirun", "Run a program of MPI."),
    "ruby": ("interpreters.ruby", "Run a Ruby script on the cores."),
    "irb": ("interpreters.ruby", "Begin a session of Ruby on one core."),
    "plan": ("plan", "Find a plan for a problem in PDDL on the chip's cores."),
    "faults": ("faults", "Run a program with many faults, and count the outcomes."),
    "sweep": ("sweep", "Run a program at all points of a plan, into one table."),
    "lesson": ("lesson", "Mend broken programs: ten exercises, checked by what rck finds."),
    "grade": ("grade", "Build and run a folder of submissions, into one table."),
    "show": ("show", "Show the state of the chip in a snapshot."),
    "set": ("set", "Change the chip in a snapshot."),
    "repro": ("repro", "Reproduce published measurements, and compare."),
    "dump": ("dump", "Write a core file for gdb from a snapshot."),
    "attach": ("attach", "Query or control a running chip."),
    "compare": ("compare", "Show the differences of two results or two commit logs."),
    "model": ("model", "Predict time and power at each divider of the clock."),
    "why": ("why", "Explain in words what a run spent its time on."),
    "last-write": ("last_write", "Say who wrote bytes last, by running again exactly."),
    "whatif": ("whatif", "Run again on a changed chip, and compare."),
    "profile": ("profile", "Show on what a run spent its cycles."),
    "explain": ("explain", "Explain a finding of `--check` step by step."),
    "info": ("info", "Describe a chip."),
    "plot": ("plot", "Draw a picture."),
    "view": ("view", "Show a run on one page."),
    "guide": ("guide", "Read the guide."),
    "doctor": ("doctor", "Check this installation."),
    "cite": ("cite", "Print the papers to cite, as BibTeX."),
    "man": ("manual", "Print or write man pages."),
    "completion": ("manual", "Print the script that lets a shell complete commands."),
}

# Commands whose function has another name, because Python has theirs or none can be written.
_FUNCTIONS = {"set": "set_", "c++": "cxx"}

# Modules of commands that start without loading the engine.
_WITHOUT_ENGINE = ("toolchain", "manual", "examples", "guide", "cite")


class _Group(click.Group):
    """Loads a command's module when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        if Process.is_ours and _COMMANDS[cmd_name][0] not in _WITHOUT_ENGINE:
            with suppress(ImportError):  # whoever needs the engine will say so
                load_into_own_process()
        module = import_module(f"rockcreek.cli.commands.{_COMMANDS[cmd_name][0]}")
        command = getattr(module, _FUNCTIONS.get(cmd_name, cmd_name.replace("-", "_")))
        assert isinstance(command, click.Command)
        take_values_once(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in _COMMANDS and not name.startswith("-"):
            ctx.fail(f"there is no command '{name}'{nearest(name, list(_COMMANDS))}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in _COMMANDS.items()])


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""Examples:

\b
  rck cc hello.c -o hello          compile a program for the chip
  rck run -n 48 hello              run it on all 48 cores
  rck run --cores 0,47 --json r.json pingpong
  rck compare r.json other.json    show the differences of two runs

`rck COMMAND --help` describes a command. Guest output goes to stdout, everything else to stderr.
""",
)
@click.version_option(__version__, message="rck %(version)s")
def app() -> None:
    """Rockcreek: Intel's Single-chip Cloud Computer (48 cores, no cache coherence) as software."""


def invoke(argv: list[str]) -> int:
    """Run `rck` with these arguments; returns the exit code."""
    try:
        code = app.main(argv, prog_name="rck", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "", err=True)
        return ExitCode.USAGE
    except click.UsageError as error:
        return _fail(_usage_text(error), ExitCode.USAGE, argv)
    except click.ClickException as error:
        return _fail(f"rck: {error.format_message()}", ExitCode.USAGE, argv)
    except (click.Abort, KeyboardInterrupt):
        return _fail("rck: interrupted", ExitCode.INTERRUPTED, argv)
    except RockcreekError as error:
        return _fail(error.render(), error.exit_code, argv)
    except Exception as error:  # noqa: BLE001 (the last resort: a bug must end as exit code 70)
        return _fail(*_unforeseen(error, argv), argv)
    return int(code or 0)


def _unforeseen(error: Exception, argv: list[str]) -> tuple[str, ExitCode]:
    """The message and the exit code of an error that no command expects."""
    if is_lack_of_memory(error):
        told: RockcreekError = lack_of_memory()
        return told.render(), told.exit_code
    if isinstance(error, BrokenPipeError):
        return "rck: stdout: Broken pipe", ExitCode.IOERR
    if isinstance(error, OSError):
        told = _io_error(error)
        return told.render(), told.exit_code
    if isinstance(error, ImportError) and "_native" in str(error):
        hint = "build it with `make setup` (in a checkout), or install the package again"
        return f"rck: the engine is missing ({error})\nhint: {hint}", ExitCode.SOFTWARE
    return _bug_text(argv), ExitCode.SOFTWARE


def _usage_text(error: click.UsageError) -> str:
    path = error.ctx.command_path if error.ctx else "rck"
    text = error.format_message().rstrip(".")
    text = text[:1].lower() + text[1:]
    return f"rck: {text}\nhint: `{path} --help` lists the options"


def _io_error(error: OSError) -> OutputError:
    name = str(error.filename or "output")
    if error.errno == errno.ENOENT and error.filename is None:
        # Nothing else that is without a name can be gone.
        return OutputError("the current folder is gone", path=".", hint="go to one that exists")
    return OutputError(f"{name}: {error.strerror}", path=name)


def _bug_text(argv: list[str]) -> str:
    return (
        f"{traceback.format_exc()}"
        f"rck: this is a bug in rck {__version__}: the error above should never be seen\n"
        f"hint: please report it with the command: rck {' '.join(argv)}"
    )


def _fail(text: str, code: ExitCode, argv: list[str]) -> int:
    try:
        print(with_words(text, argv), file=sys.stderr, flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    return code
