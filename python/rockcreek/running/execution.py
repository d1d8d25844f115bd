"""One execution from a loaded chip to a `Result`: the order that `rck run` and `rck boot` share.

What differs between the two (what is loaded, whose consoles there are, which cores may rest) they
give as `Loaded` and `Wired`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from rockcreek.checking import run as checked
from rockcreek.chip import Chip
from rockcreek.chip.looks import Looks
from rockcreek.consoles.console import Console
from rockcreek.errors import UsageError
from rockcreek.results.region import Parts
from rockcreek.results.result import Result
from rockcreek.running.attachments import (
    Attachment,
    Calls,
    Debugged,
    Energy,
    HostTimes,
    RegionWatch,
    Rest,
    Served,
)
from rockcreek.running.host_limits import HostLimits
from rockcreek.running.live_die import LiveDie
from rockcreek.running.options import Terms
from rockcreek.running.outcome import Begun, Outcome, host_of
from rockcreek.running.progress import QUIET_S, Progress
from rockcreek.running.session import Session
from rockcreek.software import libraries
from rockcreek.software.image import Image
from rockcreek.tracing import run as tracing
from rockcreek.units import format_ps

if TYPE_CHECKING:
    from rockcreek.formats.cycle_profile import Profile
    from rockcreek.outputs import Outputs
    from rockcreek.results.host_profile import HostProfile
    from rockcreek.tracing.recorder import Recorder


@dataclass(frozen=True)
class Loaded:
    """A chip with its software, and how results describe the two."""

    chip: Chip
    cores: tuple[int, ...]
    kernel: Image
    program: Image
    path: str  # of the program, as the result names it
    gdb_program: str  # the same as gdb is to be started with it
    arguments: list[str]
    note: Callable[[Outcome], str]  # what a snapshot says of the software
    messages_before: int = 0
    shared: str | None = None  # the folder that the guests see
    mounted: tuple[str, ...] = ()  # folders that they only read
    personality: Image | None = None  # a kernel's server for programs, in ring 3
    modules: tuple[Image, ...] = ()  # that the kernels were given
    attachments: tuple[Attachment, ...] = ()  # features of this start alone
    one_job: bool = False  # from its start, the cores are the ranks of one program


@dataclass(frozen=True)
class Wired:
    """The console of a run (output and input of the cores), and what its session needs."""

    console: Console
    session: Callable[..., Session] = Session
    counts_messages: bool = False
    # Parameters of this session's own class, which nobody else knows.
    more: dict[str, Any] = field(default_factory=dict)
    typed_at: bool = False  # somebody may type
    shown: AbstractContextManager[Any] = field(default_factory=nullcontext)


L = TypeVar("L", bound=Loaded)


def execute(
    job: Terms,
    load: Callable[[], L],
    wire: Callable[[L], Wired],
    *,
    core_files_of: Callable[[L], Sequence[int]],
    kernel_in_core_files: bool,
    tell: Callable[[Result, Chip], Result] = lambda result, _: result,
) -> Result:
    """Load, run until it ends, keep what is to be kept, and collect the result."""
    start = time.monotonic()
    with job.open_outputs() as outputs:
        loaded = load()
        chip = loaded.chip
        begun = Begun(start, chip.time_ps, chip.instructions)
        if begun.time_ps and job.until_ps is not None and job.until_ps <= begun.time_ps:
            raise UsageError(
                f"--until {format_ps(job.until_ps)}: the snapshot is at {format_ps(begun.time_ps)}",
                hint="simulated time goes on from the snapshot's: name a later instant",
            )
        log = outputs.get("commit_log")
        if log is not None:
            chip.commit_log(log)
        job.apply(chip)
        checked.begin(job, chip, loaded.cores, loaded.kernel, loaded.program)
        profile = job.watch(chip)
        images = loaded.kernel, loaded.program
        recorder = tracing.begin(job, chip, loaded.cores, images, loaded.personality)
        wired = wire(loaded)
        attachments = _attach(job, loaded, wired, profile, recorder)
        outcome = _run(job, loaded, wired, begun, attachments)
        for attached in attachments:
            attached.write(outputs, job.say)
        if job.core_dump is not None:
            from rockcreek.inspection import core_file

            outputs.failures += core_file.write_all(
                chip,
                job.core_dump,
                core_files_of(loaded),
                outcome.exits,
                kernel=loaded.kernel if kernel_in_core_files else None,
                program=loaded.program,
                arguments=loaded.arguments,
                say=job.say,
            )
        outputs.write("save", lambda to: chip.save(to, loaded.note(outcome)))
        host = host_of(chip, program=loaded.path, command=job.command, begun=begun, profile=profile)
        result = outcome.to_result(
            host=host,
            arguments=loaded.arguments,
            stdout=bytes(job.stdout.captured),
            stderr=bytes(job.stderr.captured),
        )
        parts = next((one.parts for one in attachments if isinstance(one, RegionWatch)), None)
        charged: Profile | None = None
        if job.profile is not None:
            charged = _write_profile(job, loaded, outputs, result, start, parts)
        result = tell(checked.finish(job, result, chip, images, outputs), chip)
        result = replace(result, unsaved=tuple(outputs.failures))
        outputs.write("json", lambda to: to.write(result.to_json()))
        outputs.write("page", lambda to: to.write(job.draw(result.to_dict(), charged)))
        return replace(result, unsaved=tuple(outputs.failures))


def _write_profile(
    job: Terms,
    loaded: Loaded,
    outputs: Outputs,
    result: Result,
    start: float,
    parts: Parts | None,
) -> Profile:
    from rockcreek.results import cycle_profile

    charged = loaded.chip.finish_cycle_profile()
    if job.progress and time.monotonic() - start > QUIET_S:
        count = sum(len(charges) for _, charges in charged)
        job.say(f"rck: the run has ended; writing the profile: {count:,} instructions to name")
    found = cycle_profile.build(
        charged, loaded.kernel, loaded.program, result, parts, personality=loaded.personality
    )
    outputs.write("profile", lambda to: to.write(cycle_profile.text(found)))
    return found


def _attach(
    job: Terms,
    loaded: Loaded,
    wired: Wired,
    profile: HostProfile | None,
    recorder: Recorder | None,
) -> list[Attachment]:
    """The features of this run, in the order in which they look at the chip."""
    chip = loaded.chip
    if job.gdb is not None:
        from rockcreek.running import gdb_server

        gdb_server.listen(
            chip,
            job.gdb,
            wait=job.gdb_wait,
            # A core at rest may have a user who is about to type.
            tell_rest=not wired.typed_at,
            program=loaded.gdb_program,
            say=job.say,
        )
    rest: list[Rest] = []
    if not job.has_other_hands:
        rest = _rest(loaded)
    region = job.region(chip, loaded.program)
    where = None if region is None else region.where
    attached = (
        None if profile is None else HostTimes(profile),
        job.choose_threads(chip),
        job.sample(chip, loaded.cores),
        Debugged(chip) if job.gdb is not None else None,
        None if (server := job.open_socket(chip)) is None else Served(server),
        job.reach(chip),
        *rest,
        Calls(
            chip,
            loaded.program,
            wired.counts_messages,
            recorder,
            loaded.kernel,
            where,
            loaded.one_job,
            checked.watches_blocks(job),
            loaded.modules,
        ),
        Energy(job.power_every_ps) if job.power else None,
        region,
        *loaded.attachments,
    )
    return [one for one in attached if one is not None]


def _rest(loaded: Loaded) -> list[Rest]:
    """Who looks whether threads or ranks wait for each other for ever."""
    chip, cores, program = loaded.chip, loaded.cores, loaded.program
    found: list[Looks | None] = []
    if libraries.has_threads(program):
        from rockcreek.deadlocks import thread_rest

        found.append(thread_rest.watch(chip, cores, program))
    if loaded.one_job and libraries.has_mpi(program):
        from rockcreek.ranks import at_rest

        found.append(at_rest.watch(chip, cores, program, loaded.kernel))
    return [Rest(one) for one in found if one is not None]


def _run(
    job: Terms,
    loaded: Loaded,
    wired: Wired,
    begun: Begun,
    attachments: Sequence[Attachment],
) -> Outcome:
    """From the first event to the last."""
    chip = loaded.chip
    try:
        session = wired.session(
            chip=chip,
            cores=loaded.cores,
            kernel=loaded.kernel,
            program=loaded.program,
            console=wired.console,
            progress=Progress(
                enabled=job.progress and not wired.typed_at,
                until_ps=job.until_ps,
                began_ps=begun.time_ps,
                began_instructions=begun.instructions,
                die=LiveDie(chip, loaded.cores).lines,
            ),
            until_ps=job.until_ps,
            deadline=job.deadline(begun.start),
            timeout_s=job.timeout_s,
            limits=HostLimits(chip, job.memory_limit),
            messages_before=loaded.messages_before,
            gdb=job.gdb is not None,
            modules=loaded.modules,
            faults=job.arm(chip, loaded.cores),
            attachments=attachments,
            **wired.more,
        )
        job.confine([loaded.shared] if loaded.shared is not None else [], loaded.mounted)
        job.start_threads(chip)
        with wired.shown:
            return session.run()
    finally:
        for attached in attachments:
            attached.close(job.say)
