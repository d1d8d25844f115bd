"""A study's description, `study.toml`: programs, runs, what it is compared with.

title = "..."
about = "what is measured, and how it differs from the original"
needs = { file = "../../build/words", make = "words" }
                                 a file that set-up does not make, and the target that does

[programs.ping]                  compiled with `rck cc`, C++ (.cpp) with `rck c++`; a script of
sources = ["ping.c"]             Ruby (.rb) runs as by `rck ruby`, other scripts lie beside it;
                                 or patterns: `parts/*.c`
flags = ["-O2"]                  of the compiler, or Ruby's own
like = "pong"                    instead of sources: those of a program above; its flags come
                                 before these, and boot and mpi are as there
boot = false                     true: a kernel for `rck boot`
module = "guest"                 another program, which that kernel gets as its module
mpi = false                      true: compiled with `rck mpicc`

[[runs]]
name = "pairs"
program = "ping"
cores = [0, "other"]             numbers, or names of what varies
first = "n"                      instead of cores: the first n cores, n of what varies
arguments = ["{mode}"]
env = { WAIT = "{mode}" }        variables of the programs
seeds = []                       of --jitter; none: one run
vary = { other = "1-47", mode = ["push", "pull"] }
quick = { other = [2, 47] }      what the quick form takes instead; []: no such run
power = false                    true: the energy is metered
messages = false                 true: messages and puts are counted
chip = "slow.toml"               instead of the study's, in its folder
files = "problems"               files(values) of problems.py: names and texts that the guest finds
                                 in its folder `/`; what it writes there goes into the record
codes = [75]                     exit codes that are results, too
kernel = "l4"                    under which the program runs, as `rck run --kernel` (without: rck),
                                 or the key of vary that names it
append = "rckmb.memory={mode}"   more words on Linux's command line
network = true                   Linux's network keeps the message buffers; Ruby's always does

[[compare]]
published = "some-id"
cells = ["RCCE"]                 only the cells of these columns; without it, all
within = 0.1                     the error up to which a number counts as met
counts = true                    false: the score takes it from another study

[chip]
preset = "scc"
clocks = "533/800/800"           MHz of tiles, mesh and memory data
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

from rockcreek.errors import InputError, NotFoundError, UsageError
from rockcreek.formats.study import Choice
from rockcreek.repro.toml_reader import Reader, load
from rockcreek.software import kernels

DESCRIPTION = "study.toml"
DEFAULT_WITHIN = 0.1
LINUX = "linux"  # a kernel that set-up does not build
_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Program:
    """A guest program that `rck cc` builds from sources."""

    name: str
    folder: Path  # what the flags' paths are relative to
    sources: tuple[Path, ...]
    flags: tuple[str, ...]
    boot: bool
    mpi: bool
    module: str = ""  # of a kernel: a program

    @property
    def ruby(self) -> bool:
        """Whether it is a script of Ruby."""
        return self.sources[0].suffix == ".rb"

    @property
    def cxx(self) -> bool:
        """Whether it is C++."""
        return any(source.suffix == ".cpp" for source in self.sources)


@dataclass(frozen=True)
class Job:
    """Runs of one program, one for each combination of what varies."""

    name: str
    program: str
    cores: tuple[int | str, ...]
    first: str  # instead of cores: what varies is their number
    arguments: tuple[str, ...]
    env: Mapping[str, str]
    vary: Mapping[str, tuple[Choice, ...]]
    quick: Mapping[str, tuple[Choice, ...]]
    seeds: tuple[int, ...]
    power: bool
    messages: bool
    chip: str | None  # a file of the study's folder
    files: str  # a module of the study; empty: none
    codes: tuple[int, ...]
    kernel: str  # under which the program runs, unless it is one; or a key of vary
    append: str  # to Linux's command line
    network: bool  # Linux's keeps the message buffers


@dataclass(frozen=True)
class Compare:
    """A published entry that the study answers."""

    published: str
    columns: tuple[str, ...]  # the last parts of the cells' labels; none: all cells
    within: float
    counts: bool


@dataclass(frozen=True)
class Needs:
    """A file that a study reads and that set-up does not make."""

    path: Path
    target: str  # of make: what makes it

    def check(self, study: str) -> None:
        """Refuses a study whose file is not there."""
        if not self.path.is_file():
            raise NotFoundError(
                f"study {study}: there is no {self.path}",
                path=str(self.path),
                hint=f"`make {self.target}` makes it",
            )


@dataclass(frozen=True)
class Study:
    """A study as its description file defines it."""

    id: str
    folder: Path
    title: str
    about: str
    chip: str
    clocks: str | None
    programs: Mapping[str, Program]
    needs: Needs | None
    jobs: tuple[Job, ...]
    compares: tuple[Compare, ...]

    @property
    def mpi(self) -> bool:
        """Whether it needs MPI, which set-up does not build."""
        return any(program.mpi for program in self.programs.values())

    @property
    def ruby(self) -> bool:
        """Whether it needs Ruby, which set-up does not build."""
        return any(program.ruby for program in self.programs.values())

    @property
    def linux(self) -> bool:
        """Whether it needs a Linux of the cores, which set-up does not build."""
        return any(LINUX in (job.kernel, *job.vary.get(job.kernel, ())) for job in self.jobs)

    @property
    def tcpip(self) -> bool:
        """Whether it needs the TCP/IP stack, which set-up does not build."""
        return any("-llwip" in program.flags for program in self.programs.values())

    def module(self, name: str) -> ModuleType:
        """`analysis`, `figure` or what `files` names, of the study's folder."""
        import sys
        from importlib import util

        path = self.folder / f"{name}.py"
        unique = f"rockcreek_study_{self.id.replace('-', '_')}_{name}"
        spec = util.spec_from_file_location(unique, path)
        if spec is None or spec.loader is None or not path.is_file():
            raise NotFoundError(f"study {self.id}: {path} is missing", path=str(path))
        module = util.module_from_spec(spec)
        sys.modules[unique] = module  # where dataclasses look for their types
        spec.loader.exec_module(module)
        return module


def study_ids(experiments: Path) -> list[str]:
    """The studies that there are."""
    return sorted(path.parent.name for path in experiments.glob(f"*/{DESCRIPTION}"))


def load_study(experiments: Path, name: str) -> Study:
    """The study of this id."""
    known = study_ids(experiments)
    if name not in known:
        from rockcreek.printable import nearest

        raise UsageError(
            f"there is no study '{name}'{nearest(name, known)}", hint="`rck repro --list` names all"
        )
    folder = experiments / name
    path = folder / DESCRIPTION
    reader = Reader(path, load(path))
    chip = reader.table("chip")
    programs: dict[str, Program] = {}
    for key, table in reader.named("programs").items():
        like = table.text("like", "")
        if like and like not in programs:
            raise table.error(f"like: there is no [programs.{like}] above")
        programs[key] = (
            _similar(key, table, programs[like]) if like else _program(key, table, folder)
        )
    study = Study(
        id=name,
        folder=folder,
        title=reader.text("title"),
        about=reader.text("about"),
        chip=chip.text("preset", "scc"),
        clocks=chip.text("clocks", "") or None,
        programs=programs,
        needs=_needs(reader.table("needs"), folder),
        jobs=tuple(_job(table, programs) for table in reader.tables("runs")),
        compares=tuple(_compare(table) for table in reader.tables("compare")),
    )
    chip.done()
    reader.done()
    for program in programs.values():
        if program.module and not (program.boot and program.module in programs):
            raise reader.error(
                f"[programs.{program.name}]: module: {program.module} is no program of a kernel",
                hint="a kernel (boot = true) takes another program of the study",
            )
    if not study.jobs:
        raise reader.error("nothing runs", hint="add a [[runs]]")
    if study.linux and (study.chip != "scc" or study.clocks):
        raise reader.error("[chip]: a booted Linux is of the SCC and its clocks")
    return study


def _program(name: str, table: Reader, folder: Path) -> Program:
    sources = []
    for text in table.texts("sources"):
        found = sorted(folder.glob(text)) if "*" in text else [folder / text]
        if not found or not all(path.is_file() for path in found):
            raise table.error(f"sources: there is no {folder / text}")
        sources += found
    if not sources:
        raise table.error("sources is missing")
    flags = tuple(table.texts("flags"))
    program = Program(
        name, folder, tuple(sources), flags, table.flag("boot"), table.flag("mpi"),
        table.text("module", ""),
    )  # fmt: skip
    table.done()
    if program.ruby and (program.boot or program.mpi):
        raise table.error("sources: a script of Ruby is neither boot nor mpi")
    if {source.suffix == ".rb" for source in sources} == {True, False}:
        raise table.error("sources: scripts of Ruby stand alone")
    return program


def _similar(name: str, table: Reader, like: Program) -> Program:
    flags = (*like.flags, *table.texts("flags"))
    program = replace(like, name=name, flags=flags, module=table.text("module", ""))
    table.done()
    return program


def _needs(table: Reader, folder: Path) -> Needs | None:
    if not table.keys_present():
        return None
    needs = Needs((folder / table.text("file")).resolve(), table.text("make"))
    table.done()
    return needs


def _job(table: Reader, programs: Mapping[str, Program]) -> Job:
    program = table.text("program")
    if program not in programs:
        raise table.error(f"program: there is no [programs.{program}]")
    job = Job(
        name=table.text("name"),
        program=program,
        cores=tuple(table.any("cores", [])),
        first=table.text("first", ""),
        arguments=tuple(table.texts("arguments")),
        env=_variables(table.table("env")),
        vary=_choices(table.table("vary")),
        quick=_choices(table.table("quick"), none=True),
        seeds=tuple(table.integers("seeds")),
        power=table.flag("power"),
        messages=table.flag("messages"),
        chip=table.text("chip", "") or None,
        files=table.text("files", ""),
        codes=tuple(table.integers("codes")),
        kernel=table.text("kernel", kernels.OWN),
        append=table.text("append", ""),
        network=table.flag("network"),
    )
    table.done()
    _check_kernel(table, job, programs[program])
    if bool(job.cores) == bool(job.first):
        raise table.error("give it either cores or first")
    if job.first and job.first not in job.vary:
        raise table.error(f"first: {job.first} is not a key of vary")
    for core in job.cores:
        if type(core) is not int and core not in job.vary:
            raise table.error(f"cores: {core!r} is neither a number nor a key of vary")
    told = {"arguments": job.arguments, "env": job.env.values(), "append": (job.append,)}
    for key, texts in told.items():
        for name in [name for text in texts for name in _PLACE.findall(text)]:
            if name not in job.vary:
                raise table.error(f"{key}: {name} is not a key of vary")
    for name in job.quick:
        if name not in job.vary:
            raise table.error(f"quick: {name} is not a key of vary")
    return job


def _check_kernel(table: Reader, job: Job, program: Program) -> None:
    named = (*job.vary.get(job.kernel, (job.kernel,)), *job.quick.get(job.kernel, ()))
    names = (*kernels.NAMES, LINUX)
    for kernel in named:
        if kernel not in names:
            raise table.error(
                f"kernel: {kernel!r} is neither a kernel nor a key of vary",
                hint=f"kernels: {', '.join(names)}",
            )
    if program.boot and named != (kernels.OWN,):
        raise table.error(f"kernel: [programs.{program.name}] is a kernel itself (boot = true)")
    if LINUX in named and (job.chip or job.seeds):
        raise table.error("kernel: a booted Linux has settled chip and seeds")
    for key, value in {"append": job.append, "network": job.network}.items():
        if value and set(named) != {LINUX}:
            raise table.error(f"{key}: that is Linux's")


def _variables(table: Reader) -> dict[str, str]:
    return {name: table.text(name) for name in table.keys_present()}


def _choices(table: Reader, *, none: bool = False) -> dict[str, tuple[Choice, ...]]:
    found = {}
    for key in table.keys_present():
        value = table.any(key)
        choices = _span(value) if isinstance(value, str) else value
        if not isinstance(choices, Sequence) or not (choices or none):
            raise table.error(f'{key}: write a list, or a span of numbers such as "1-47"')
        found[key] = tuple(choices)
    return found


def _span(text: str) -> list[int] | None:
    match = re.fullmatch(r"([0-9]{1,6})-([0-9]{1,6})", text)
    return list(range(int(match[1]), int(match[2]) + 1)) if match else None


def _compare(table: Reader) -> Compare:
    compare = Compare(
        published=table.text("published"),
        columns=tuple(table.texts("cells")),
        within=table.number("within", DEFAULT_WITHIN),
        counts=table.flag("counts", default=True),
    )
    table.done()
    return compare


def check_against(study: Study, known: Collection[str]) -> None:
    """Complain about a comparison with something that no table holds."""
    for compare in study.compares:
        if compare.published not in known:
            from rockcreek.printable import nearest

            path = study.folder / DESCRIPTION
            raise InputError(
                f"{path}: compare: no table of experiments/published holds "
                f"'{compare.published}'{nearest(compare.published, list(known))}",
                path=str(path),
            )
