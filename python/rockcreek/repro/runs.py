"""One run of a study, from its program to a record; what analyses read is the record."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from rockcreek.compile_program import built
from rockcreek.description import Description, load
from rockcreek.errors import RockcreekError
from rockcreek.formats.energy import EnergySums
from rockcreek.formats.messages import Messages
from rockcreek.formats.statistics import Controller
from rockcreek.formats.study import Choice, CoreCounts, Record
from rockcreek.interpreters import ruby, ruby_linux
from rockcreek.outputs import make_folder
from rockcreek.repro.points import Point
from rockcreek.repro.study import LINUX, Program, Study
from rockcreek.results.result import Result

HOST_LIMIT_S = 3600.0
# Of what a run that failed said, the lines at an end that its error repeats.
TOLD_LINES = 3


@dataclass(frozen=True)
class Run:
    """A finished run."""

    job: str
    values: Mapping[str, Choice]
    seed: int | None
    text: str  # what the guests printed
    time_ps: int
    instructions: int
    state_hash: str
    cores: tuple[CoreCounts, ...]  # counters of the run's cores
    memory: tuple[Controller, ...]  # counters of the memory controllers
    energy: EnergySums | None = None  # as in a result, without samples, if it was metered
    messages: Messages | None = None  # as in a result, if they were counted
    files: Mapping[str, str] = field(default_factory=dict)  # what the guests wrote, if it got files


def build(program: Program, folder: Path) -> Path:
    """Compile a program of a study; of a script, the interpreter."""
    if program.ruby:
        return ruby.interpreter()
    return built(
        program.sources, program.flags, make_folder(folder).resolve() / program.name,
        mpi=program.mpi, cxx=program.cxx, folder=program.folder,
        hint="correct the program, or its flags in study.toml",
    )  # fmt: skip


def perform(
    study: Study, point: Point, program: str, chip: Description, *, verify: bool = False
) -> Record:
    """Run one point and return its record; with `verify` run it again, executing every round of
    waiting loops, and complain if anything differs."""
    record = _record(study, point, program, chip, skip=True)
    if verify:
        executed = _record(study, point, program, chip, skip=False)
        others = dict(executed)
        differing = [key for key, value in record.items() if others[key] != value]
        if differing:
            raise RockcreekError(
                f"study {study.id}: the run {point.label()} is another one when waiting loops are "
                f"executed: {', '.join(differing)}",
                hint="this is a bug of the engine: please report it",
            )
    return record


def _record(study: Study, point: Point, program: str, chip: Description, *, skip: bool) -> Record:
    written: dict[str, str] = {}
    if point.boot:
        result = _boot(study, point, program, chip, skip=skip).one_of_many()
    elif point.kernel == LINUX:
        result = _under_linux(study, point, program, written, skip=skip).one_of_many()
    else:
        result = _run(study, point, program, chip, written, skip=skip).one_of_many()
    failed = result.exit_code not in (0, *point.codes) or result.errors
    if failed:
        told = "; ".join(error.message for error in result.errors) or f"exit {result.exit_code}"
        said = [*_lines(result.stdout)[-TOLD_LINES:], *_ends(_lines(result.stderr))]
        raise RockcreekError(
            "\n".join([f"study {study.id}: the run {point.label()} failed: {told}", *said]),
            hint=f"cores {','.join(map(str, point.cores))}, arguments {list(point.arguments)}",
        )
    counters = result.statistics["cores"]
    return {
        "key": point.key,
        "job": point.job,
        "values": dict(point.values),
        "seed": point.seed,
        "text": result.stdout.decode(errors="replace"),
        "time_ps": result.time_ps,
        "instructions": result.instructions,
        "state_hash": result.state_hash,
        "cores": [
            cast(
                "CoreCounts",
                {
                    "core": core,
                    "cycles": counters[core]["cycles"],
                    **counters[core]["core"],
                    **counters[core]["cache"],
                },
            )
            for core in point.cores
        ],
        "memory": result.statistics["memory"],
        "energy": _energy(result),
        "messages": result.messages,
        "files": written,
    }


def _lines(said: bytes) -> list[str]:
    return said.decode(errors="replace").strip().splitlines()


def _ends(lines: list[str]) -> list[str]:
    """The first lines of an error output, where the reason often is, and the last ones.

    >>> _ends([str(n) for n in range(9)])
    ['0', '1', '2', '...', '6', '7', '8']
    >>> _ends(["alas"])
    ['alas']
    """
    if len(lines) <= 2 * TOLD_LINES:
        return lines
    return [*lines[:TOLD_LINES], "...", *lines[-TOLD_LINES:]]


def from_record(record: Record) -> Run:
    """The run that a record describes."""
    return Run(
        job=record["job"],
        values=record["values"],
        seed=record["seed"],
        text=record["text"],
        time_ps=record["time_ps"],
        instructions=record["instructions"],
        state_hash=record["state_hash"],
        cores=tuple(record["cores"]),
        memory=tuple(record["memory"]),
        energy=record.get("energy"),
        messages=record.get("messages"),
        files=record.get("files", {}),
    )


def _energy(result: Result) -> EnergySums | None:
    if result.energy is None:
        return None
    known = {key: value for key, value in result.energy.items() if key != "samples"}
    return cast("EnergySums", known)


def _chip_of(study: Study, point: Point, chip: Description) -> Description:
    """The study's chip, or the one that these runs name."""
    return chip if point.chip is None else load(str(study.folder / point.chip))


def _run(
    study: Study,
    point: Point,
    program: str,
    chip: Description,
    written: dict[str, str],
    *,
    skip: bool,
) -> Result:
    from rockcreek.running.run_job import Job, execute

    with _folder(point) if point.files else nullcontext() as name:
        result = execute(
            Job(
                program,
                point.arguments,
                cores=point.cores,
                chip=_chip_of(study, point, chip),
                clocks=study.clocks if point.chip is None else None,
                jitter=point.seed,
                power=point.power,
                messages=point.messages,
                kernel=point.kernel,
                share=name,
                mounts=point.mounts,
                env=point.env,
                skip=skip,
                tag="none",
                timeout_s=HOST_LIMIT_S,
            )
        )
        if name is not None:
            written.update(_written(Path(name), point))
    return result


@contextmanager
def _folder(point: Point) -> Iterator[str]:
    """A folder with the files that the study gives the guests."""
    with tempfile.TemporaryDirectory(prefix="rck-study-") as name:
        for file, text in point.files.items():
            Path(name, file).write_text(text, encoding="utf-8")
        yield name


def _under_linux(
    study: Study, point: Point, file: str, written: dict[str, str], *, skip: bool
) -> Result:
    """On cores whose Linux is kept, or boots now."""
    from rockcreek.linux import start
    from rockcreek.linux.program import of_file

    script = study.programs[point.program].ruby
    memory = ruby_linux.MEMORY if script else start.MEMORY
    choice = start.Choice(point.cores, memory, point.append)
    with _folder(point) as name:
        network = True if point.network else None
        program = (
            ruby_linux.program(point.arguments, name, point.env)
            if script
            else of_file(file, point.arguments, name, point.env, network=network)
        )
        path = start.snapshot(choice, fresh=False, terms={}, say=lambda _: None)
        result = start.run(
            path,
            start.lines(choice, program),
            program,
            messages=point.messages,
            terms={
                "power": point.power,
                "skip": skip,
                "tag": "none",
                "timeout_s": HOST_LIMIT_S,
            },
        )
        written.update(_written(Path(name), point))
    return result


def _written(folder: Path, point: Point) -> dict[str, str]:
    """The files that the guests have written, by name, without those that the study gave."""
    return {
        path.name: path.read_text(encoding="utf-8", errors="replace")
        for path in sorted(folder.iterdir())
        if path.is_file() and path.name not in point.files
    }


def _boot(study: Study, point: Point, program: str, chip: Description, *, skip: bool) -> Result:
    from rockcreek.booting.boot_job import BootJob, execute

    module = study.programs[point.program].module  # built beside it
    return execute(
        BootJob(
            (program,),
            modules=(str(Path(program).with_name(module)),) if module else (),
            cores=",".join(map(str, point.cores)),
            append=" ".join(point.arguments),
            chip=_chip_of(study, point, chip),
            clocks=study.clocks if point.chip is None else None,
            jitter=point.seed,
            power=point.power,
            skip=skip,
            tag="none",
            timeout_s=HOST_LIMIT_S,
        )
    )
