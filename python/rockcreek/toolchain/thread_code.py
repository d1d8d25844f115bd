"""What an object is in a program of threads on several cores: calls in the place of its atomic
operations (`atomics.py`).

Which kind of program an object ends in is known when it is linked, so one with atomic operations
carries the other code in a section of its own, which no linker copies. A link of threads takes that
code out, makes objects of bitcode (-flto), and gives common variables a place among the program's
data: linkers put them behind all objects, where data are each core's own.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from . import threads
from .arguments import CommandLine, Input, Kind
from .code import atomics, tentative
from .code import object_files as objects
from .commands import run
from .compiling import CODE, TARGET, compile_command, optimisation
from .paths import Toolchain, ToolchainError

SECTION = ".rck.threads"
# Behind it: the operation that has no call.
NO_CALL = b"no call: "
# In the texts of sources that have atomic operations, their own or those of C++'s headers.
ATOMIC = re.compile(r"[aA]tomic|__sync_|\b(?:barrier|future|jthread|latch|semaphore|stop_token)\b")
# Objects of C++ need them where atomic operations come from the library's headers or the compiler.
CXX_SHARED = re.compile(r"__cxa_guard_acquire|_ZNSt3__1(?:14__shared_count|19__shared_weak_count)")


def needed(line: CommandLine, files: Iterable[Path] | None, target: Path) -> bool:
    """Whether a source may have atomic operations, by the texts, as far as they are known, and the
    object made of them."""
    if threads.processes([item.text for item in line.inputs]):
        return False
    data = target.read_bytes() if target.is_file() else b""
    if not data.startswith(objects.ELF):
        return False
    if line.openmp or files is None or any(ATOMIC.search(_text(path)) for path in files):
        return True
    return any(CXX_SHARED.match(symbol.name) for symbol in objects.symbols(data))


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def keep(
    line: CommandLine, tools: Toolchain, source: Input, target: Path, more: list[str], work: Path
) -> int:
    """Compile a source once more if it has atomic operations, with calls in their place, and put
    that into its object; `work` is a folder for what lies between."""
    command = [*compile_command(line, tools, source), *more, "-w", "-S", "-emit-llvm", "-o", "-"]
    ran = run(command, line, capture=True)
    if ran.returncode != 0:
        sys.stderr.write(ran.stderr)
        return ran.returncode
    if not atomics.present(ran.stdout):
        return 0
    try:
        code = _compiled(atomics.replace(ran.stdout), line, tools, work)
    except atomics.Unknown as error:
        code = NO_CALL + f"{source.text}: {error}".encode()
    whole = target.with_name(f".{target.name}.{os.getpid()}")
    whole.write_bytes(objects.with_section(target.read_bytes(), SECTION, code))
    whole.replace(target)
    return 0


def _compiled(text: str, line: CommandLine, tools: Toolchain, work: Path) -> bytes:
    """The object of intermediate text."""
    place, made = work / "threads.ll", work / "threads.o"
    flags = [flag for flag in line.compile_flags if not flag.startswith(("-std=", "-flto"))]
    again = replace(line, compile_flags=flags, show=False, verbose=False)
    place.write_text(text)
    command = compile_command(again, tools, Input(Kind.SOURCE, str(place), "ir"))
    ran = run([*command, "-c", "-o", str(made)], again, capture=True)
    if ran.returncode != 0:
        raise ToolchainError(f"code for threads: {ran.stderr.strip()}", code=70)
    return made.read_bytes()


def defined(
    variables: dict[str, tuple[int, int]], tools: Toolchain, line: CommandLine, folder: Path
) -> str:
    """An object in a folder that defines variables without a value."""
    place = folder / "variables.s"
    place.write_text(tentative.assembly(variables))
    made = place.with_suffix(".o")
    command = [str(tools.zig), "clang", *TARGET, "-c", str(place), "-o", str(made)]
    if run(command, line).returncode != 0:
        raise ToolchainError("common variables have no place", code=70)
    return str(made)


class ThreadInputs:
    """The linker's inputs, made ready for a program of threads in a folder."""

    def __init__(self, line: CommandLine, tools: Toolchain, folder: Path) -> None:
        self.line, self.tools, self.folder = line, tools, folder
        self.numbers = 0
        self.common: dict[str, tuple[int, int]] = {}
        self.defined: set[str] = set()

    def ready(self, inputs: list[str]) -> list[str]:
        """The inputs with code for threads, and one object more if there are common variables."""
        folders = [word[2:] for word in inputs if word.startswith("-L") and len(word) > 2]
        folders += [value for word, value in pairwise(inputs) if word == "-L"]
        changed = [self._word(word, folders) for word in inputs]
        commons = {name: at for name, at in self.common.items() if name not in self.defined}
        return (
            [*changed, defined(commons, self.tools, self.line, self.folder)] if commons else changed
        )

    def _word(self, word: str, folders: list[str]) -> str:
        path = Path(word)
        if word.startswith("-l"):
            paths = (Path(folder) / f"lib{word[2:]}.a" for folder in folders)
            path = next((path for path in paths if path.is_file()), path)
        try:
            data = path.read_bytes() if path.is_file() else b""
        except OSError:
            return word  # the linker says why
        if objects.is_archive(data):
            return self._archive(path, data, word)
        made = self._object(str(path), data)
        return word if made is data else str(self._write(path.name, made))

    def _archive(self, path: Path, data: bytes, word: str) -> str:
        """An archive with the members that threads need."""
        old = list(objects.members(path, data))
        new = [self._object(f"{path}({name})", body) for name, body in old]
        if all(made is body for made, (_, body) in zip(new, old, strict=True)):
            return word
        files = [
            str(self._write(Path(name).name, made))
            for made, (name, _) in zip(new, old, strict=True)
        ]
        self.numbers += 1
        archive = self.folder / f"{self.numbers}-{path.name}"
        ran = run([str(self.tools.zig), "ar", "qcs", str(archive), *files], self.line, capture=True)
        if ran.returncode != 0:
            raise ToolchainError(f"{path}: {ran.stderr.strip()}", code=70)
        return str(archive)

    def _write(self, name: str, data: bytes) -> Path:
        self.numbers += 1
        place = self.folder / str(self.numbers) / name
        place.parent.mkdir()
        place.write_bytes(data)
        return place

    def _object(self, name: str, data: bytes) -> bytes:
        """An object's code for threads: its own, unless it carries another."""
        if data.startswith(objects.BITCODE):
            data = self._of_bitcode(name, data)
        if not data.startswith(objects.ELF):
            return data
        code = objects.section(data, SECTION)
        if code is not None:
            data = self._carried(name, code)
        for symbol in objects.symbols(data):
            if symbol.section == objects.SHN_COMMON:
                size, alignment = self.common.get(symbol.name, (0, 1))
                most = (max(size, symbol.size), max(alignment, symbol.value))
                self.common[symbol.name] = most
            elif symbol.section:
                self.defined.add(symbol.name)
        return data

    def _carried(self, name: str, code: bytes) -> bytes:
        if code.startswith(NO_CALL):
            operation = code.removeprefix(NO_CALL).decode()
            raise ToolchainError(
                f"no call for the atomic operation of {operation}", "use a mutex of pthread.h"
            )
        if len(code) != objects.length(code):
            raise ToolchainError(
                f"{name}: joined by -r from objects that have atomic operations",
                "link the objects themselves, or an archive of them",
            )
        return code

    def _of_bitcode(self, name: str, data: bytes) -> bytes:
        """What -flto left, compiled: all objects of threads lie between two of the library's."""
        place = self._write(f"{Path(name.partition('(')[0]).name}.bc", data)
        level = optimisation(self.line)
        flags = [*TARGET, *CODE, level if level != "-O0" else "-O2", "-x", "ir", str(place)]
        command = [str(self.tools.zig), "clang", *flags, "-w", "-S", "-emit-llvm", "-o", "-"]
        ran = run(command, self.line, capture=True)
        if ran.returncode != 0:
            raise ToolchainError(f"{name}: {ran.stderr.strip()}")
        try:
            text = atomics.replace(ran.stdout) if atomics.present(ran.stdout) else ran.stdout
        except atomics.Unknown as error:
            return self._carried(name, NO_CALL + f"{name}: {error}".encode())
        return _compiled(text, replace(self.line, threads=True), self.tools, place.parent)
