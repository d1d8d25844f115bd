"""`rockcreek.run`: a program on some cores of a chip, from a file to a `Result`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rockcreek import description as descriptions
from rockcreek import resources
from rockcreek.chip import Chip
from rockcreek.consoles import console
from rockcreek.consoles.console import Console
from rockcreek.consoles.guest_input import Feeder, MemorySource, Source
from rockcreek.consoles.port_files import BootConsole, PortFiles
from rockcreek.description import Description
from rockcreek.errors import NotFoundError, UsageError
from rockcreek.given import checked
from rockcreek.parameters import OF_RUN, described
from rockcreek.results.result import Result
from rockcreek.running import execution
from rockcreek.running.execution import Loaded, Wired
from rockcreek.running.options import POWER_EVERY_PS, Terms
from rockcreek.software import (
    atomics,
    image,
    kernel_command_line,
    kernels,
    mounts,
    snapshot,
    thread_models,
)
from rockcreek.software.image import Image
from rockcreek.software.kernels import Kernel
from rockcreek.software.snapshot import Note

if TYPE_CHECKING:
    from rockcreek.faults.plan import Plan

_TAGS = ("core", "time", "none")
# systems/rckmpi/job: the variables of a run of several jobs of MPI.
_JOBS = {"RCKMPI_JOBS", "RCKMPI_UNIVERSE"}


@dataclass
class Job(Terms):
    """Everything that a run needs to know; `rck run` fills it from its options."""

    program: str | Path
    arguments: Sequence[str] = ()
    n: int | None = None
    cores: Sequence[int] | None = None
    # As the original launcher: its part stands before the arguments of a program
    # not linked with our RCCE, whether or not symbols show that it uses one.
    original_arguments: bool = False
    share: str | Path | None = None
    mounts: Mapping[str, str | Path] = field(default_factory=dict)  # folders by names in /
    env: Mapping[str, str] = field(default_factory=dict)
    stdin: Source = field(default_factory=lambda: MemorySource(b""))
    stdin_cores: str | int = "first"  # first, all, none, or a core number
    threads_model: str | None = None  # of a program of threads: crf, strong or lazy
    strace: bool = False
    kernel: str = kernels.OWN  # under which the program runs
    messages: bool = False  # who sent how much to whom; nothing else changes
    # Cores that are loaded, too, but stay in reset until a program takes them out of it, and what
    # else they may run: it says which (guest/kernel/boot/start.c).
    reserve: Sequence[int] = ()
    reserve_programs: Sequence[str | Path] = ()


@described(OF_RUN)
def run(
    program: str | Path,
    arguments: Sequence[str] = (),
    *,
    n: int | None = None,
    cores: Sequence[int] | None = None,
    chip: str | Description = "scc",
    clocks: str | None = None,
    jitter: int | None = None,
    share: str | Path | None = None,
    mounts: Mapping[str, str | Path] | None = None,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    stdin_cores: str | int = "first",
    tag: str | None = None,
    timeout_s: float | None = None,
    memory_limit: int | None = None,
    until_ps: int | None = None,
    strace: bool = False,
    kernel: str = kernels.OWN,
    messages: bool = False,
    power: bool = False,
    power_every_ps: int = POWER_EVERY_PS,
    sample_every_ps: int | None = None,
    strict_voltage: bool = False,
    skip: bool = True,
    translate: bool = True,
    threads: int | str = 1,
    commit_log: str | Path | None = None,
    profile: str | Path | None = None,
    trace: str | Path | None = None,
    flame: str | Path | None = None,
    trace_only: Sequence[str] = (),
    roi: str | None = None,
    check: Sequence[str] = (),
    check_suppress: str | Path | None = None,
    save: str | Path | None = None,
    faults: Plan | None = None,
    fault_seed: int | None = None,
) -> Result:
    """Run a program on `n` cores (or on these `cores`); its output is in the result.

    A run that goes wrong returns a result as well: see its `end`, `exit_code` and `errors`, or
    call `check()` to have the first error raised. Input that cannot be used raises at once.
    """
    # The parameters are the fields of a job.
    given = checked(dict(locals()))
    given["env"], given["stdin"] = env or {}, MemorySource(given["stdin"])
    given["mounts"] = mounts or {}
    return execute(Job(**given, force=True))


def load(
    program: str | Path,
    arguments: Sequence[str] = (),
    *,
    n: int | None = None,
    cores: Sequence[int] | None = None,
    chip: str | Description = "scc",
    clocks: str | None = None,
    jitter: int | None = None,
    share: str | Path | None = None,
    env: Mapping[str, str] | None = None,
) -> Chip:
    """A chip on which the program is about to start, as `run` would begin: to be run by hand.

    `program`, `arguments`, `n`, `cores`, `chip`, `clocks`, `jitter`, `share` and `env` are those of
    `run`. Nothing reads standard input.
    """
    given = checked(dict(locals()))
    given["env"], given["stdin_cores"] = env or {}, "none"
    return _start(Job(**given)).chip


def execute(job: Job) -> Result:
    """Boot the kernels, run the program on each core, and collect the result."""
    return execution.execute(
        job,
        lambda: _start(job) if job.restore is None else _continue(job),
        lambda loaded: Wired(
            console=_console(job, loaded),
            more={
                "feeder": Feeder(job.stdin),
                "reserve": frozenset(job.reserve),
            },
            counts_messages=job.messages,
        ),
        core_files_of=lambda loaded: loaded.cores,
        kernel_in_core_files=True,
    )


def _start(job: Job) -> Loaded:
    """A chip whose cores are about to boot."""
    under = kernels.choose(job.kernel, _served_by_our_own(job))
    kernel = under.image
    description = descriptions.choose(job.chip, clocks=job.clocks, jitter=job.jitter)
    shape = (description.columns, description.rows, description.cores_per_tile)
    kernels.check_chip(job.kernel, description.name, shape)
    cores = choose_cores(description, job.n, job.cores)
    reserve = _reserve(job, description, cores)
    connected = choose_readers(job.stdin_cores, cores)
    chip = Chip(description)
    program = image.load_program(job.program)
    atomics.refuse_locked(program)
    model = thread_models.environment(program, job.threads_model)
    job = replace(job, env={**job.env, **model})
    note = Note(
        program=os.fspath(Path(job.program).absolute()),
        sha256=program.sha256,
        arguments=list(job.arguments),
        cores=[*cores, *reserve],
        share=None if job.share is None else shared_folder(job.share),
        messages=0,
        mounts=mounts.checked(job.mounts),
    )
    _share(chip, note)
    _boot(job, chip, cores, connected, under, program)
    _load_reserve(job, chip, reserve, kernel, program)
    loaded = _loaded(chip, note, kernel, program)
    one_job = not (_JOBS & set(job.env) or job.reserve)
    return replace(loaded, personality=under.personality, one_job=one_job)


def _served_by_our_own(job: Job) -> dict[str, object]:
    """Options for which a program needs our own kernel."""
    return {
        "--reserve": job.reserve,
        "--save": job.save,
    }


def _continue(job: Job) -> Loaded:
    """The chip of a snapshot, as it was."""
    kernel = image.read(resources.kernel_path())
    path = os.fspath(job.restore or "")
    share = None if job.share is None else shared_folder(job.share)
    chip, note = snapshot.restore(path, share, mounts.checked(job.mounts))
    return _loaded(chip, note, kernel, note.load_program(path))


def _loaded(chip: Chip, note: Note, kernel: Image, program: Image) -> Loaded:
    return Loaded(
        chip,
        tuple(note.cores),
        kernel,
        program,
        path=note.program,
        gdb_program=note.program,
        arguments=note.arguments,
        note=lambda outcome: replace(note, messages=outcome.messages).to_json(),
        messages_before=note.messages,
        shared=note.share,
        mounted=tuple(path for _, path in note.mounts),
    )


def choose_cores(
    description: Description,
    n: int | None,
    cores: Sequence[int] | None,
    option: str = "--cores",
) -> tuple[int, ...]:
    """The cores of a run in rank order: the first n, or the ones that were named."""
    total = description.core_count
    span = f"the chip '{description.name}' has cores 0 to {total - 1}"
    if cores is None:
        count = 1 if n is None else n
        if not 1 <= count <= total:
            raise UsageError(f"-n {count}: {span}", hint=f"choose a number from 1 to {total}")
        return tuple(range(count))
    if not cores:
        raise UsageError(f"{option}: the list is empty", hint=f"for example {option} 0,10,47")
    for core in cores:
        if not 0 <= core < total:
            raise UsageError(f"{option}: there is no core {core}: {span}", hint="see `rck info`")
    repeated = sorted({core for core in cores if list(cores).count(core) > 1})
    if repeated:
        raise UsageError(
            f"{option}: core {repeated[0]} is named more than once",
            hint="a core runs one copy of the program: name each core once",
        )
    if n is not None and n != len(cores):
        raise UsageError(
            f"-n {n} and --cores with {len(cores)} cores contradict each other",
            hint="leave one of them out",
        )
    return tuple(cores)


def choose_readers(choice: str | int, cores: tuple[int, ...]) -> tuple[int, ...]:
    """The cores that read standard input: `first`, `all`, `none` or a core."""
    if choice == "first":
        return cores[:1]
    if choice == "all":
        return cores
    if choice == "none":
        return ()
    if choice not in cores:
        raise UsageError(
            f"--stdin {choice}: this core does not run the program",
            hint="name one of the run's cores, or `all` or `none`",
        )
    return (int(choice),)


def _share(chip: Chip, note: Note) -> None:
    """The folders in the order in which a snapshot of the run shares them again."""
    for folder in (note.share, *(path for _, path in note.mounts)):
        if folder is not None:
            chip.share(folder)


def _boot(
    job: Job,
    chip: Chip,
    cores: tuple[int, ...],
    connected: tuple[int, ...],
    kernel: Kernel,
    program: Image,
) -> None:
    mhz = chip.description.core_mhz
    argv = kernel_command_line.program_arguments(
        program, job.arguments, cores, mhz, original=job.original_arguments
    )
    for core in cores:
        line = kernel_command_line.command_line(
            core=core,
            cores=cores,
            mhz=mhz,
            argv=argv,
            env=job.env,
            stdin=core in connected,
            terminal=job.stdin.terminal,
            strace=job.strace,
            share=job.share is not None,
            mounts=tuple(job.mounts),
        )
        chip.load(core, kernel.image.data, line, kernel.with_program(program))
    chip.release(cores)


def _reserve(job: Job, description: Description, cores: tuple[int, ...]) -> tuple[int, ...]:
    if not job.reserve:
        return ()
    both = sorted(set(job.reserve) & set(cores))
    if both:
        raise UsageError(
            f"--reserve: core {both[0]} runs the program from the beginning",
            hint="name cores that the run does not use",
        )
    return choose_cores(description, None, job.reserve, "--reserve")


def _load_reserve(
    job: Job, chip: Chip, reserve: tuple[int, ...], kernel: Image, program: Image
) -> None:
    """Kernel and programs for cores that stay in reset."""
    others = [image.load_program(path) for path in job.reserve_programs]
    for other in others:
        atomics.refuse_locked(other)
    modules = [(one.data, one.name) for one in (program, *others)]
    for core in reserve:
        line = kernel_command_line.command_line(
            core=core,
            cores=(core,),
            mhz=chip.description.core_mhz,
            argv=[program.name],
            env=job.env,
            stdin=False,
            strace=job.strace,
            share=job.share is not None,
            mounts=tuple(job.mounts),
            chosen=True,
        )
        chip.load(core, kernel.data, line, modules)


def shared_folder(
    share: str | Path, hint: str = "name an existing folder; the guests see it as /"
) -> str:
    """The absolute name of a folder."""
    path = Path(share)
    # An empty name is a variable without a value more often than the current folder.
    if not os.fspath(share) or not path.is_dir():
        is_file = os.fspath(share) and path.exists()
        what = "is not a folder" if is_file else "No such file or directory"
        raise NotFoundError(
            f"--share {share}: {what}",
            path=str(path),
            hint=hint,
        )
    return os.fspath(path.absolute())


def _console(job: Job, loaded: Loaded) -> Console:
    description = loaded.chip.description
    several = len(loaded.cores) > 1
    tag = job.tag or ("core" if several else "none")
    if tag not in _TAGS:
        raise UsageError(f"tag '{tag}' is not known", hint=f"choose from {', '.join(_TAGS)}")
    if job.output_dir is not None:
        files = PortFiles(job.output_dir, description, force=job.force)
        return BootConsole(job.stdout, job.stderr, files=files, only=None, lines=None)
    width = len(description.core_label(0))
    label = {
        "core": console.core_label(width),
        "time": console.time_label(width),
        "none": console.no_label,
    }[tag]
    raw: tuple[int, ...] = ()
    if tag == "none" and not several:
        raw = console.PORTS
    elif tag == "none" and thread_models.has_threads(loaded.program):
        # They are one program: a line that one begins may be another's to end.
        raw = (console.PORT_STDOUT,)
    return Console(job.stdout, job.stderr, label=label, raw=raw)
