"""`rockcreek.boot.execute`: software that brings its own kernel, from files to a `Result`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rockcreek import description as descriptions
from rockcreek.booting import ports
from rockcreek.booting.idle import AT_REST, BootSession, not_at_rest
from rockcreek.booting.load_plan import parse_cores, plan
from rockcreek.chip import Chip
from rockcreek.consoles import console
from rockcreek.consoles.console import Console, Sink
from rockcreek.consoles.guest_input import Feeder, MemorySource, Source
from rockcreek.consoles.port_files import BootConsole, PortFiles
from rockcreek.consoles.terminal import Terminal
from rockcreek.description import Description
from rockcreek.errors import UsageError
from rockcreek.inspection import backtrace
from rockcreek.results.result import Result
from rockcreek.running import execution
from rockcreek.running.execution import Loaded, Wired
from rockcreek.running.options import Terms
from rockcreek.software import snapshot
from rockcreek.software.image import Image
from rockcreek.software.snapshot import BootNote

if TYPE_CHECKING:
    from rockcreek.consoles.console_grid import View


@dataclass
class BootJob(Terms):
    """Everything that a boot needs to know; `rck boot` fills it from its options."""

    kernels: Sequence[str] = ()  # with `restore`: where the one is that was booted
    plan: str | None = None  # a file that says what boots where
    cores: str | None = None
    append: str = ""
    modules: Sequence[str] = ()
    made_modules: Sequence[tuple[Image, str]] = ()  # that are in no file, before the others
    images: Sequence[str] = ()
    objects: Sequence[str] = ()
    luts: Sequence[str] = ()
    hold: str | None = None
    releases: Sequence[str] = ()  # LIST@TIME
    # Of kernels that are Linux images: a file, a name or number, a size such as 64M.
    initrd: str | None = None
    platform: str | None = None
    memory: str | None = None
    ports: Sequence[str] = ()  # `pc`, a file of Python, or both
    console: int | None = None
    # Typed at these cores' COM1 before anything else.
    typed: Mapping[int, bytes] = field(default_factory=dict)
    # Of a system whose software asks its first core's COM1 when it needs input, and waits.
    stdin: Source | None = None
    # The program that such a line starts, and its arguments: whoever looks at functions looks at
    # its own, and results name it.
    runs: Image | None = None
    arguments: Sequence[str] = ()
    messages: bool = False  # who sent how much to whom
    share: str | None = None  # the folder that guests see over the host window
    mounts: Sequence[str] = ()  # further ones, which they only read
    notes: Sink | None = None  # gets the lines that cores write to COM2, instead of stderr
    view: str | None = None  # cores whose consoles stand side by side in the terminal

    @property
    def goes_on(self) -> bool:
        """A system of a snapshot starts the program that is typed."""
        return self.restore is not None and self.runs is None


def execute(job: BootJob) -> Result:
    """Load everything, release the cores, and run until nothing is left to do."""
    return execution.execute(
        job,
        lambda: _start(job) if job.restore is None else _continue(job),
        lambda started: _wire(job, started),
        core_files_of=lambda started: not_at_rest(started.chip, started.cores),
        kernel_in_core_files=False,
        tell=_tell_states,
    )


@dataclass(frozen=True)
class _Started(Loaded):
    """With the cores that are let go once somebody hears them."""

    released: tuple[int, ...] = ()
    releases: tuple[tuple[int, int], ...] = ()


def _started(
    chip: Chip,
    main: Image,
    cores: tuple[int, ...],
    command_line: str,
    released: tuple[int, ...] = (),
    releases: tuple[tuple[int, int], ...] = (),
) -> _Started:
    path = os.fspath(main.path.absolute())
    note = BootNote(image=path, sha256=main.sha256, cores=list(cores), command_line=command_line)
    return _Started(
        chip,
        cores,
        main,
        main,
        path=path,
        gdb_program=os.fspath(main.path),
        arguments=command_line.split(),
        note=lambda _: note.to_json(),
        released=released,
        releases=releases,
    )


def _wire(job: BootJob, started: _Started) -> Wired:
    """Consoles and keys; then the cores are let go."""
    chip = started.chip
    files = None
    if job.output_dir is not None:
        files = PortFiles(job.output_dir, chip.description, force=job.force)
    view = _view(job, chip, started.cores, files)
    terminal = _connect(job, chip, started.cores)
    chip.release(started.released)
    for core, at_ps in started.releases:
        chip.release([core], at_ps)
    return Wired(
        console=view or _console(job, chip.description, started.cores, files),
        session=BootSession,
        more={
            "feeder": Feeder(job.stdin or MemorySource(b"")),
            "terminal": terminal,
            "console_core": job.console or 0,
            "view": view,
        },
        counts_messages=job.messages,
        typed_at=terminal is not None,
        shown=_shown(terminal, view),
    )


@contextmanager
def _shown(terminal: Terminal | None, view: View | None) -> Iterator[None]:
    with ExitStack() as stack:
        if terminal is not None:
            stack.enter_context(terminal.raw())
        if view is not None:
            stack.enter_context(view.shown())
        yield


def _start(job: BootJob) -> _Started:
    """Everything loaded, all cores in reset."""
    description = descriptions.choose(job.chip, clocks=job.clocks, jitter=job.jitter)
    what = plan(
        description,
        kernels=job.kernels,
        file=job.plan,
        cores=job.cores,
        command_line=job.append,
        modules=job.modules,
        images=job.images,
        objects=job.objects,
        luts=job.luts,
        hold=job.hold,
        releases=job.releases,
        initrd=job.initrd,
        platform=job.platform,
        memory=job.memory,
    )
    what = replace(what, modules=(*job.made_modules, *what.modules))
    _check_console(job, description)
    chip = Chip(description)
    if job.share is not None:
        chip.share(job.share)
    answered = ports.install(chip, job.ports, job.save is not None)
    what.load(chip)
    main = what.main_image
    started = _started(chip, main, what.cores, job.append, what.released, what.releases)
    return replace(
        started,
        shared=job.share,
        modules=what.all_modules,
        attachments=tuple(answered),
    )


def _continue(job: BootJob) -> _Started:
    """The chip of a snapshot, as it was."""
    path = os.fspath(job.restore or "")
    note = snapshot.read_boot_note(path, Chip.note_of(path))
    main = note.load_image(path, *job.kernels[:1])
    chip = Chip.restore(path, (*(() if job.share is None else (job.share,)), *job.mounts))
    _check_console(job, chip.description)
    started = _started(chip, main, tuple(note.cores), note.command_line)
    if job.runs is not None:
        started = replace(
            started,
            program=job.runs,
            path=os.fspath(job.runs.path.absolute()),
            gdb_program=os.fspath(job.runs.path),
            arguments=list(job.arguments),
        )
    return replace(started, shared=job.share, mounted=tuple(job.mounts))


def _check_console(job: BootJob, description: Description) -> None:
    if job.console is not None:
        parse_cores(str(job.console), description.core_count, "--console")


def _connect(job: BootJob, chip: Chip, cores: Sequence[int]) -> Terminal | None:
    """Nobody's kernel waits for keys; one core gets those of a terminal or all of a file."""
    from rockcreek import _native

    for core in cores if job.stdin is None else cores[1:]:
        _native.set_live(chip._native, core)
    for core, line in job.typed.items():
        chip.input(core, line)
    if job.view is not None:
        return Terminal()
    if job.console is None:
        return None
    if job.console not in cores:
        raise UsageError(
            f"--console {job.console}: this core boots nothing", hint="name one of the booted cores"
        )
    terminal = Terminal()
    if terminal.is_terminal:
        return terminal
    chip.input(job.console, terminal.read_all(), eof=True)
    return None


def _view(job: BootJob, chip: Chip, cores: Sequence[int], files: PortFiles | None) -> View | None:
    if job.view is None:
        return None
    from rockcreek.consoles.console_grid import View

    viewed = parse_cores(job.view, chip.description.core_count, "--view")
    strangers = [core for core in viewed if core not in cores]
    if strangers:
        raise UsageError(
            f"--view: core {strangers[0]} boots nothing", hint="name some of the booted cores"
        )
    if job.console is not None and job.console not in viewed:
        raise UsageError(
            f"--console {job.console}: this core is not in the view",
            hint="with --view it names the console that has the keys first",
        )
    return View(
        viewed,
        title=lambda core: backtrace.name_cores([core], chip),
        time_ps=lambda: chip.time_ps,
        focus=job.console,
        files=files,
    )


def _console(
    job: BootJob, description: Description, cores: Sequence[int], files: PortFiles | None
) -> BootConsole:
    several = len(cores) > 1
    width = len(description.core_label(0))
    labels = {
        "core": console.core_label(width),
        "time": console.time_label(width),
        "none": console.no_label,
    }
    lines = None
    if files is None and job.console is None:
        label = labels[job.tag or ("core" if several else "none")]
        # What a program writes comes out byte by byte.
        one = job.tag in (None, "none") and (job.stdin is not None or not several)
        raw = console.PORTS if one else ()
        lines = Console(job.stdout, job.stderr, label=label, raw=raw)
    notes = None if job.notes is None else Console(job.notes, job.notes, label=console.no_label)
    return BootConsole(
        job.stdout, job.stderr, files=files, only=job.console, lines=lines, notes=notes
    )


def _tell_states(result: Result, chip: Chip) -> Result:
    """A core that reported no end is at rest, in reset, or still at work."""
    cores = [
        replace(core, reason=state)
        if core.reason == "running" and (state := chip.core(core.core)["state"]) in AT_REST
        else core
        for core in result.cores
    ]
    return replace(result, cores=tuple(cores))
