"""What is measured: the entries of programs.toml, fetched and built."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scripts.packages import Shelf

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RCK = (sys.executable, "-m", "rockcreek")
# Valgrind 3.19 cannot read the debug information of this compiler.
FLAGS = ("-O2", "-w", "-Wl,--strip-debug")
# What follows `rck`, unless an entry has other words: {binary}, {folder} and {json} are paths.
COMMAND = (
    "run", "-q", "-n", "{n}", "--tag", "none",
    "--json", "{json}", "--share", "{folder}", "{binary}",
)  # fmt: skip


@dataclass(frozen=True)
class RealProgram:
    """One entry of programs.toml."""

    name: str
    about: str
    result: str
    sources: list[str] = field(default_factory=list)
    binds: str = ""
    package: str = ""
    with_: list[str] = field(default_factory=list)
    exclude: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    flags: list[str] = field(default_factory=list)
    inputs: dict[str, tuple[str, int]] = field(default_factory=dict)
    preprocess: dict[str, str] = field(default_factory=dict)
    arguments: list[str] = field(default_factory=list)
    cores: int = 1
    two_threads: bool = False
    tools: list[str] = field(default_factory=lambda: ["cachegrind", "qemu"])
    needs: dict[str, str] = field(default_factory=dict)
    binary: str = ""
    command: list[str] = field(default_factory=lambda: [*COMMAND])
    compiler: str = "cc"
    folder: str = ""

    def by(self, tool: str) -> bool:
        """Whether this tool can run it: one core, no message passing."""
        return self.cores == 1 and tool in self.tools

    @property
    def missing(self) -> str | None:
        """What has to be made first; None if nothing."""
        for path, target in self.needs.items():
            if not (ROOT / path).exists():
                return f"`{target}` has not been run"
        return None


@dataclass(frozen=True)
class Built:
    """A program that can be run: its binary, and the folder with its inputs."""

    binary: Path
    folder: Path


def read(path: Path = HERE / "programs.toml") -> tuple[dict[str, Any], list[RealProgram]]:
    """The packages by name, and the programs in their order."""
    table = tomllib.loads(path.read_text())
    programs = []
    for name, entry in table["program"].items():
        values = {{"with": "with_"}.get(key, key): value for key, value in entry.items()}
        programs += _one_each(name, values)
    for program in programs:
        for package in (*filter(None, [program.package]), *program.with_):
            if package not in table["package"]:
                raise ValueError(f"{path}: {program.name}: there is no package {package}")
    return table["package"], programs


def _one_each(name: str, values: dict[str, Any]) -> list[RealProgram]:
    """One program, or one of each number of cores."""
    if not isinstance(values.get("cores"), list):
        return [RealProgram(name=name, folder=name, **values)]
    counts, paired = values.pop("cores"), values.pop("two_threads", [])
    return [
        RealProgram(
            name=f"{name}-{count}", folder=name, cores=count, two_threads=count in paired, **values
        )
        for count in counts
    ]


def choose(programs: list[RealProgram], only: list[str]) -> list[RealProgram]:
    """The programs of these names; all if none is named."""
    known = [program.name for program in programs]
    for name in only:
        if name not in known:
            raise ValueError(f"--only {name}: there are {', '.join(known)}")
    return [program for program in programs if not only or program.name in only]


def provide(program: RealProgram, packages: dict[str, Any], out: Path) -> Built:
    """Fetches what it needs, and builds what is not built by this very command yet."""
    shelf = Shelf(out / "packages", "bench-real")
    folders = {
        name: shelf.provide(name, packages[name])
        for name in (*filter(None, [program.package]), *program.with_)
    }
    base = folders[program.package] if program.package else ROOT
    places = {**folders, "here": HERE, "root": ROOT}
    for name, text in program.files.items():
        (base / name).parent.mkdir(exist_ok=True)
        (base / name).write_text(text)
    folder = out / "programs" / program.folder
    (folder / "files").mkdir(parents=True, exist_ok=True)
    binary = folder / "binary"
    if program.binary:
        # Valgrind reads no debug information of this compiler.
        _once(["objcopy", "--strip-debug", program.binary, str(binary)], ROOT, binary)
    elif "{binary}" in program.command:
        sources = _sources(program, base, places)
        flags = [_at(flag, places) for flag in program.flags]
        command = [*RCK, program.compiler, *FLAGS, *sources, *flags, "-o", str(binary)]
        _once(command, base, binary)
    for name, source in program.preprocess.items():
        includes = [flag for flag in program.flags if flag[:2] in ("-I", "-D")]
        target = folder / "files" / name
        _once([*RCK, "cc", "-E", "-P", "-w", *includes, source, "-o", str(target)], base, target)
    for name, (source, most) in program.inputs.items():
        (folder / "files" / name).write_bytes(Path(_at(source, places)).read_bytes()[:most])
    return Built(binary, folder / "files")


def _sources(program: RealProgram, base: Path, places: dict[str, Path]) -> list[str]:
    left_out = {path for word in program.exclude for path in base.glob(word)}
    found: list[str] = []
    for word in program.sources:
        if word.startswith("${"):
            found.append(_at(word, places))
        else:
            matches = sorted(path for path in base.glob(word) if path not in left_out)
            if not matches:
                raise ValueError(f"{program.name}: there is no {word} in {base}")
            found += [str(path.relative_to(base)) for path in matches]
    return found


def _at(word: str, places: dict[str, Path]) -> str:
    for name, folder in places.items():
        word = word.replace(f"${{{name}}}", str(folder))
    return word


def _once(command: list[str], folder: Path, target: Path) -> None:
    """Makes the target, unless this command has made it."""
    stamp = target.with_name(target.name + ".command")
    if target.is_file() and stamp.is_file() and stamp.read_text() == repr(command):
        return
    print(f"bench-real: making {target.parent.name}/{target.name}", file=sys.stderr, flush=True)
    subprocess.run(command, cwd=folder, check=True)
    stamp.write_text(repr(command))
