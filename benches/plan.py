"""What is measured: the programs of programs.toml, and their binaries."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rockcreek

HERE = Path(__file__).parent
SOURCES = HERE / "programs"

# The same static i386 binary runs everywhere. Loops stay loops (no call of memcpy in their place);
# valgrind 3.19 cannot read the debug information of this compiler; symbols let rck count messages.
FLAGS = ("-O2", "-fno-builtin", "-Wl,--strip-debug")


@dataclass(frozen=True)
class Program:
    """One entry of programs.toml."""

    name: str
    about: str
    quick: int
    source: str = ""
    group: str = ""
    cores: int = 1
    quick_cores: int = 0
    arguments: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    fixed: int | None = None
    # The rounds are those of this program, so that the two can be compared.
    same_as: str | None = None

    @property
    def path(self) -> Path:
        return SOURCES / f"{self.source or self.name}.c"

    @property
    def has_peers(self) -> bool:
        """Whether other tools can run it: one core, no message passing."""
        return bool(self.group)

    def cores_of(self, *, quick: bool) -> int:
        return self.quick_cores if quick and self.quick_cores else self.cores


def read(path: Path = HERE / "programs.toml") -> list[Program]:
    """The programs in their order."""
    entries = tomllib.loads(path.read_text())["program"]
    programs = [parse(entry) for entry in entries]
    names = [program.name for program in programs]
    for program in programs:
        if names.count(program.name) > 1:
            raise ValueError(f"{path}: {program.name} is there twice")
        if program.same_as is not None and program.same_as not in names:
            raise ValueError(f"{path}: {program.name}: there is no {program.same_as}")
    return programs


def parse(entry: dict[str, Any]) -> Program:
    """A row of a table of programs."""
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()
    }
    return Program(**values)


def choose(programs: list[Program], only: list[str]) -> list[Program]:
    """The programs that are named, and those whose rounds they share; all if none is named."""
    known = {program.name: program for program in programs}
    for name in only:
        if name not in known:
            raise ValueError(f"--only {name}: there are {', '.join(known)}")
    wanted = set(only) or set(known)
    wanted |= {known[name].same_as or name for name in wanted}
    return [program for program in programs if program.name in wanted]


def build(programs: list[Program], folder: Path) -> dict[str, Path]:
    """The binary of each program, compiled anew: libraries change as well as sources."""
    folder.mkdir(parents=True, exist_ok=True)
    binaries: dict[str, Path] = {}
    for program in programs:
        binary = folder / program.path.stem
        if binary not in binaries.values():
            rockcreek.compile(program.path, [*FLAGS, *program.libraries], output=binary)
        binaries[program.name] = binary
    return binaries
