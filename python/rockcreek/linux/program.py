"""A program that the cores' Linux runs together, and what is typed at their consoles for it.

A job as a launcher starts it: each core learns ranks, clock and cores (/proc/rck/launch), and where
the program uses the message buffers the network gives them free on all cores before any of them
starts the program. The consoles' words are those of systems/linux/root/console.c.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from rockcreek.errors import InputError, UsageError
from rockcreek.software import image, kernel_command_line, thread_models
from rockcreek.software.image import Image
from rockcreek.software.mounts import checked

_LONGEST = 3900
# What Linux, and what runs a program there, have at names of their own.
_TAKEN = ("bin", "sbin", "etc", "init", "sys", "tmp", "host", "program", "stdin")
_NONE: Mapping[str, str] = MappingProxyType({})
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_IN_A_FILE = "write it into a file, and run that: sh FILE"
# Of RCCE, and of the layer by which all our libraries learn of their job.
_OF_JOBS = ("RCCE_init", "scc_job")


@dataclass(frozen=True)
class Program:
    """A command of Linux, and what this host knows of it."""

    command: tuple[str, ...]
    file: Image | None  # the ELF file that it runs, if this host has it
    shares: tuple[str, ...]  # folders of the host, in the order in which they are attached
    place: str  # lines of the console: what makes them visible, where the program begins
    env: Mapping[str, str] = field(default_factory=dict)
    network: bool | None = None  # whether mb0 stays up; None: unless the program has the buffers
    before: str = ""  # what a shell does first
    stdin: str = ""  # the cores' path of what it reads
    readers: Collection[int] | None = None  # the cores that read it; None: all

    def __post_init__(self) -> None:
        if self.file is not None and thread_models.needs_mailboxes(self.file):
            raise UsageError(
                f"{self.file.path}: it needs mailboxes, which a Linux of each core has not",
                hint="run it with `rck run`; threads of one core (`rck cc -pthread=core`) run"
                " under Linux, too",
            )

    def typed(self, cores: Sequence[int], mhz: int, core: int) -> bytes:
        """The lines that start it on one of these cores."""
        words = list(self.command[1:])
        if self.file is not None:
            words = kernel_command_line.program_arguments(self.file, words, cores, mhz)[1:]
        variables = " ".join(f"{name}={shlex.quote(text)}" for name, text in self.env.items())
        start = shlex.join([self.command[0], *words])
        program = f"start {start}"
        reads = f" < {self.stdin}" if self._is_read_by(core) else ""
        if variables or self.before or reads:
            # A shell does not wait for a program that takes its place.
            program = f"run {self.before}{f'{variables} ' if variables else ''}exec {start}{reads}"
        if _CONTROL.search(program):
            text = "the command has a control character, which a core's console takes as a key"
            raise UsageError(text, hint=_IN_A_FILE)
        job = f"launch {len(cores)} {mhz / 1000:.3f} {' '.join(map(str, cores))}\n"
        free = "" if self._keeps_network() else "free\n"
        typed = os.fsencode(f"{job}{free}{self.place}{program}\n")
        if len(typed) > _LONGEST:
            text = f"the command has {len(typed)} bytes; a core's console takes {_LONGEST}"
            raise UsageError(text, hint=_IN_A_FILE)
        return typed

    def _is_read_by(self, core: int) -> bool:
        return bool(self.stdin) and (self.readers is None or core in self.readers)

    def _keeps_network(self) -> bool:
        if self.network is not None or self.file is None:
            return self.network is not False
        return not (self.file.has_our_note or set(_OF_JOBS) & set(self.file.symbols))


def in_folder(
    command: tuple[str, ...],
    folder: str,
    env: Mapping[str, str],
    *,
    network: bool | None,
    stdin: Path | None = None,
) -> Program:
    """A command that begins in the folder of the host, which is /host; what it reads is a file
    that has its folder for itself."""
    place, file = "mount 0 /host\ncd /host\n", _file(Path(folder), command[0])
    if stdin is None:
        return Program(command, file, (folder,), place, env, network)
    place += "mount 1 /stdin ro\n"
    shares = (folder, os.fspath(stdin.parent))
    return Program(command, file, shares, place, env, network, stdin=f"/stdin/{stdin.name}")


def of_file(
    path: str,
    arguments: Sequence[str],
    share: str | None,
    env: Mapping[str, str],
    *,
    network: bool | None = None,
    stdin: Path | None = None,
    readers: Collection[int] | None = None,
    mounts: Mapping[str, str] = _NONE,
) -> Program:
    """A file of the host, wherever it is, in the shared folder (/host) or in /tmp; what these
    readers read is a file that has its folder for itself. Folders of `mounts` have names in /."""
    found = image.load_program(path)
    shares = [] if share is None else [share]
    place = "cd /tmp\n" if share is None else "mount 0 /host\ncd /host\n"
    place += f"mount {len(shares)} /program ro\n"
    shares.append(os.fspath(found.path.absolute().parent))
    reads = ""
    if stdin is not None:
        place += f"mount {len(shares)} /stdin ro\n"
        shares.append(os.fspath(stdin.parent))
        reads = f"/stdin/{stdin.name}"
    name, before = f"/program/{found.name}", _mounted(mounts, shares)
    if not os.access(path, os.X_OK):
        # Linux asks for the right to execute it, which rck's own kernel does not know.
        copy = "/tmp/program"
        before += f"cp {shlex.quote(name)} {copy} && chmod 700 {copy} && "
        name = copy
    command = (name, *arguments)
    return Program(command, found, tuple(shares), place, env, network, before, reads, readers)


def _mounted(mounts: Mapping[str, str], shares: list[str]) -> str:
    """What a shell does for folders that are seen by names of their own."""
    said = ""
    for name, folder in checked(mounts):
        if name in _TAKEN:
            raise UsageError(
                f"--mount {folder}=/{name}: /{name} is Linux's own", hint="choose another name"
            )
        options = f"ro,trans=scc,version=9p2000.L,aname={len(shares)}"
        said += f"mkdir -p /{name} && mount -t 9p -o {options} host /{name} && "
        shares.append(folder)
    return said


def _file(folder: Path, name: str) -> Image | None:
    path = folder / name
    if "/" not in name or name.startswith("/") or not path.is_file():
        return None
    found = image.read(path)
    if not found.data.startswith(b"\x7fELF"):
        return None
    if not os.access(path, os.X_OK):
        text = f"{path}: nobody may execute it, and Linux asks"
        raise InputError(text, path=str(path), hint=f"chmod +x {shlex.quote(str(path))}")
    return found
