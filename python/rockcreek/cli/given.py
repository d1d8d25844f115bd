"""The values of options, by name, as click hands them over. Times are picoseconds, sizes bytes.

An option of one value is given once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO, TypedDict
from weakref import WeakSet

import click


class RunGiven(TypedDict):
    """The options that all commands have that run a chip (`run_options.terms_options`)."""

    json_path: str | None
    output_dir: str | None
    tag: str | None
    timeout: int | None
    memory_limit: int | None
    until: int | None
    chip: str
    clocks: str | None
    jitter: int | None
    fault_plans: Sequence[str]
    fault_seed: int | None
    no_skip: bool
    no_translate: bool
    power: bool
    power_every: int | None
    sample: int | None
    strict_voltage: bool
    profile: str | None
    roi: str | None
    trace: str | None
    trace_only: Sequence[str]
    trace_every: int | None
    flame: str | None
    profile_host: bool
    threads: int | str
    commit_log: str | None
    check: Sequence[str]
    check_suppress: str | None
    check_sarif: str | None
    core_dump: str | None
    gdb: str | None
    gdb_nowait: bool
    socket: str | None
    socket_every: int | None
    socket_wait: bool
    save: str | None
    restore: str | None
    sandbox: str
    quiet: bool
    force: bool


class Reached(TypedDict, total=False):
    """How this host reaches the cores of a Linux; `gdb` of a command that has it."""

    forward: Sequence[str]
    packets: str | None
    replay_packets: str | None
    gdb: str | None


class Chosen(TypedDict):
    """The Linux that is to boot."""

    n: int | None
    cores: str | None
    memory: str
    append: str
    fresh: bool
    forward: Sequence[str]
    packets: str | None


class LinuxBare(Chosen):
    """The options of `rck linux` without a command."""

    socket: str | None


class LinuxShell(LinuxBare):
    """The options of `rck linux shell`."""

    quiet: bool


class LinuxRun(RunGiven, Chosen):
    """The options of `rck linux run` that its program does not concern."""

    replay_packets: str | None


class LinuxProgram(LinuxRun):
    """The options of `rck linux run`, and its words."""

    command: tuple[str, ...]
    env: tuple[str, ...]
    stdin: BinaryIO | None
    network: bool | None
    messages: bool


class RunParams(RunGiven):
    """The options of `rck run`, and what its words have become."""

    program: str
    arguments: Sequence[str]
    n: int | None
    cores: Sequence[int] | None
    clock: float | None
    share: str | None
    mounted: Sequence[str]
    stdin_cores: str | int
    threads_model: str | None
    env: Mapping[str, str]
    reserve: Sequence[int] | None
    reserve_programs: Sequence[str]
    strace: bool
    messages: bool
    view: str | None


class Changes(TypedDict):
    """What `rck whatif` is to change: MHz, sizes as they are written."""

    chip: str | None
    tiles: int | None
    mesh: int | None
    memory: int | None
    l1: str | None
    l2: str | None
    sets: Sequence[str]


class PlanTerms(TypedDict):
    """The options of `rck plan` that concern the run of the planner."""

    timeout: int | None
    jitter: int | None
    threads: int | str
    faults: Sequence[str]


# A process may ask for a command several times, and each module is loaded once.
_TAKE_VALUES_ONCE: WeakSet[click.Command] = WeakSet()


def take_values_once(command: click.Command) -> None:
    """Make the command, and those below it, refuse an option of one value that is given again, or
    whose value is missing before the next option.

    Click's parser keeps the last value, and its record of what came in which order.
    """
    if isinstance(command, click.Group):
        for below in command.commands.values():
            take_values_once(below)
    if command in _TAKE_VALUES_ONCE:
        return
    _TAKE_VALUES_ONCE.add(command)
    make = command.make_parser

    def make_parser_of_one_value(ctx: click.Context) -> Any:
        parser = make(ctx)
        parse = parser.parse_args

        def parse_once(args: list[str]) -> Any:
            parsed = parse(args=args)
            if not ctx.resilient_parsing:
                for option, times in Counter(parsed[2]).items():
                    if isinstance(option, click.Option) and _takes_one_value(option):
                        _check_value(ctx, option, times, parsed[0].get(option.name))
            return parsed

        parser.parse_args = parse_once  # type: ignore[method-assign]
        return parser

    command.make_parser = make_parser_of_one_value  # type: ignore[method-assign]


def _takes_one_value(option: click.Option) -> bool:
    return not (option.multiple or option.is_flag or option.count)


def _check_value(ctx: click.Context, option: click.Option, times: int, value: object) -> None:
    """Refuse a second value, and the next option in a value's place."""
    name = option.get_error_hint(ctx)
    if times > 1:
        ctx.fail(f"{name} is given {times} times, and takes one value")
    others = {word for other in ctx.command.params for word in other.opts}
    if isinstance(value, str) and value.startswith("--") and value.partition("=")[0] in others:
        ctx.fail(f"{name} takes a value, and {value!r} is an option")
