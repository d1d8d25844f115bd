"""The values of options, by name, as click hands them over. Times are picoseconds, sizes bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict


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
