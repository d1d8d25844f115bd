"""A job under Linux: what `rck linux run` and `rck run --kernel linux` do alike."""

from __future__ import annotations

import errno
import os
import select
import stat
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

import click
from click.core import ParameterSource

from rockcreek.cli import run_options
from rockcreek.cli.common import finish, say
from rockcreek.cli.given import Chosen, LinuxProgram, LinuxRun, Reached, RunGiven, RunParams
from rockcreek.cli.scratch import scratch

if TYPE_CHECKING:
    from rockcreek.linux.program import Program
    from rockcreek.linux.start import Choice
    from rockcreek.running.options import OutsideValues, TermValues


def snapshot(choice: Choice, *, fresh: bool, quiet: bool) -> Path:
    """The kept snapshot of these cores, made if it is not there."""
    from rockcreek.linux import start
    from rockcreek.running.host_limits import allow_open_files

    allow_open_files()
    tell = (lambda _: None) if quiet else say
    terms: TermValues = {"progress": not quiet, "say": say}
    return start.snapshot(choice, fresh=fresh, terms=terms, say=tell)


def of_own_kernel(given: RunParams) -> dict[str, object]:
    """Options of `rck run` that no Linux serves, with what was given."""
    return {
        "--reserve": given["reserve"],
        "--reserve-program": given["reserve_programs"],
        "--threads-model": given["threads_model"],
        "--strace": given["strace"],
    }


def refuse_others(given: Mapping[str, object], why: str) -> None:
    """Raise for the first option that was given; `why` follows its name."""
    for option, value in given.items():
        if value:
            raise click.UsageError(option + why, click.get_current_context())


def run_file(known: Mapping[str, object]) -> int:
    """`rck run --kernel linux`, with all that the command was given, and what is `known` of it."""
    from rockcreek import description as descriptions
    from rockcreek.linux import program, start
    from rockcreek.running.run_job import choose_cores, choose_readers
    from rockcreek.software import mounts

    given = cast("RunParams", {**click.get_current_context().params, **known})
    refuse_others({**of_own_kernel(given), "--save": given["save"]}, " needs rck's own kernel")
    cores = choose_cores(descriptions.load("scc"), given["n"], given["cores"])
    choice = start.Choice(cores, start.MEMORY, "")
    readers = choose_readers(given["stdin_cores"], cores)
    with _kept(_standard_input() if readers else None) as file:
        found = program.of_file(
            given["program"], given["arguments"], given["share"], given["env"],
            stdin=file, readers=readers, mounts=mounts.parse(given["mounted"]),
        )  # fmt: skip
        viewed = run_options.view_fields(given["view"], given["sample"])
        messages = given["messages"] or bool(viewed)
        return run(choice, found, given, messages=messages, fresh=False, more=viewed)


def _standard_input() -> BinaryIO | None:
    """What there is to read before the cores start: a file, or whatever `--stdin` asks for. A pipe
    may never end, so it is not waited for unasked."""
    source = click.get_current_context().get_parameter_source("stdin_cores")
    if source is not ParameterSource.COMMANDLINE:
        kind = os.fstat(0).st_mode
        if stat.S_ISFIFO(kind) and select.select([0], [], [], 0)[0]:
            say("rck: the program's stdin is empty: --stdin first gives it all that comes here")
        if not stat.S_ISREG(kind):
            return None
    return sys.stdin.buffer


def choice(given: Chosen | LinuxRun) -> Choice:
    """The Linux that the options choose."""
    from rockcreek.linux.start import Choice, check_memory, choose

    cores = choose(given["n"], given["cores"])
    return Choice(cores, check_memory(given["memory"]), given["append"])


def run_made(made: Callable[[Path | None], Program], given: LinuxProgram) -> int:
    """Run the program that is `made` with the file that it reads."""
    chosen = choice(given)
    with _kept(given["stdin"]) as file:
        program, messages = made(file), given["messages"]
        return run(chosen, program, given, messages=messages, fresh=given["fresh"])


@contextmanager
def _kept(stdin: BinaryIO | None) -> Iterator[Path | None]:
    """All of it in a file of a folder that the cores may see."""
    from rockcreek.outputs import Output

    if stdin is None:
        yield None
        return
    with scratch("rck-stdin-") as folder:
        path = Path(folder, "stdin")
        with Output(path) as file:
            while part := _part(stdin):
                file.write(part)
        yield path


def _part(stdin: BinaryIO) -> bytes:
    """The next bytes of an input; one that cannot be read has ended, as for our own kernel."""
    try:
        return stdin.read(1 << 20)
    except OSError as error:
        if error.errno == errno.EBADF:
            return b""
        raise


def run(
    choice: Choice,
    program: Program,
    given: RunGiven,
    *,
    messages: bool,
    fresh: bool,
    more: TermValues | None = None,
) -> int:
    """Boot, or take the snapshot, then run the program and report."""
    from rockcreek.linux import start

    lines = start.lines(choice, program)
    refuse(given)
    run_options.check(given)
    outside = reached(cast("Reached", given), choice.cores)
    path = snapshot(choice, fresh=fresh, quiet=given["quiet"])
    terms: TermValues = {**run_options.fields(given), **(more or {})}
    del terms["restore"]
    terms["forward"] = outside["forward"]
    terms["packets"] = outside["packets"]
    terms["replay_packets"] = outside["replay_packets"]
    result = start.run(path, lines, program, messages=messages, terms=terms)
    return finish(result, json_path=given["json_path"], quiet=given["quiet"])


def reached(given: Reached, cores: Collection[int]) -> OutsideValues:
    """How this host reaches the cores, as fields of `Terms`."""
    from rockcreek.forwarding import ports

    forward, replayed = given.get("forward", ()), given.get("replay_packets")
    context = click.get_current_context()
    if given.get("packets") is not None and not forward:
        raise click.UsageError("--packets needs --forward: it records what passes there", context)
    if forward and replayed is not None:
        text = "--forward and --replay-packets exclude each other: packets come from one of them"
        raise click.UsageError(text, context)
    if given.get("gdb") is not None and (forward or replayed is not None):
        text = "--gdb does not go with --forward: what gdb goes back over gets no packets again"
        raise click.UsageError(text, context)
    return {
        "forward": ports.choose(forward, cores),
        "packets": given.get("packets"),
        "replay_packets": replayed,
    }


def refuse(given: RunGiven) -> None:
    """Options that a kept snapshot leaves no room for."""
    context = click.get_current_context()
    settled = {
        "--restore": given["restore"],
        "--clocks": given["clocks"],
        "--jitter": given["jitter"],
    }
    for option, value in settled.items():
        if value is not None:
            raise click.UsageError(f"{option}: the kept snapshot has settled this", context)
    if given["chip"] != "scc":
        raise click.UsageError("--chip: Linux runs on the SCC", context)
    if given["check"]:
        text = "--check: what a snapshot's caches hold is not known; --kernel rck finds the same"
        raise click.UsageError(text, context)
