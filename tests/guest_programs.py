"""Guest programs as tests: their headers, and how they are compiled and run.

A C or C++ file below tests/ or systems/*/tests/ that has a `// run:` line among its first comment
lines is a test. The lines before the first blank line or code say how it is built, run and judged:

    // cc: -O2 -lrcce                 more arguments of `rck cc` (optional)
    // run: -n 2 --until 5ms -- a b   options of `rck run`, and behind `--` the program's arguments
    // also: --threads-model lazy     is run again, with these options more (repeat)
    // also-slow: OPTIONS             the same, in a test that is slow
    // stdin: text                    one line of standard input (repeat for more)
    // share: yes                     an empty folder is shared
    // expect-exit: 0                 exit code of rck (0 if the line is missing)
    // expect-stdout:                 exact output: the comment lines that follow, `// ` removed
    // expect-match: REGEX            must be found in stdout (repeat for more)
    // expect-stderr: REGEX           must be found in stderr (repeat for more)
    // slow: yes                      marks the test slow
    // mpi: yes                       is built by `rck mpicc`, run by `rck mpirun`; slow
    // mutant: NAME                   this test must fail on that mutant (tests/mutants)

Programs are compiled once and kept by the hash of their text, flags and sysroot; those of a system
by that of all its sources too, as a test may include a program. In `cc`, `${system}` is its folder,
`${root}` the project's.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import ready
from rockcreek.toolchain import mpi

ROOT = Path(__file__).resolve().parents[1]
SYSTEMS = ROOT / "systems"
CACHE = ROOT / "out" / "test-programs"
RCK = (sys.executable, "-m", "rockcreek")
TIMEOUT_S = int(os.environ.get("RCK_TEST_TIMEOUT_S", "240"))
_DIRECTIVE = re.compile(r"//\s*([a-z-]+):\s?(.*)")
_KNOWN = {
    "cc", "run", "stdin", "share", "expect-exit", "expect-stdout", "expect-match",
    "expect-stderr", "slow", "mpi", "mutant", "also", "also-slow",
}  # fmt: skip


@dataclass
class Expectation:
    """The header of a guest program."""

    cc: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    stdin: str = ""
    share: bool = False
    exit_code: int = 0
    stdout: str | None = None
    matches: list[str] = field(default_factory=list)
    stderr: list[str] = field(default_factory=list)
    slow: bool = False
    mpi: bool = False
    mutants: list[str] = field(default_factory=list)
    also: list[tuple[list[str], bool]] = field(default_factory=list)  # options; whether it is slow


def compile_as_told(source: Path, header: Expectation, more: Iterable[str] = ()) -> Path:
    """The program of this source, built as its header says; skips the test without MPI."""
    if header.mpi and not mpi.there():
        pytest.skip("needs MPI, which `make mpi` builds")
    compiler = "cc" if not header.mpi else "mpicxx" if source.suffix == ".cpp" else "mpicc"
    return compile_program(source, [*header.cc, *more], compiler=compiler)


def read_header(text: str) -> Expectation | None:
    """The directives of a source file; None if it has no `run` line."""
    found = Expectation()
    has_run = False
    lines = iter(_header_lines(text))
    pending: str | None = None
    for line in lines:
        match = _DIRECTIVE.fullmatch(line)
        known = match is not None and match[1] in _KNOWN
        if found.stdout is not None and pending == "stdout" and not known:
            found.stdout += line.removeprefix("//").removeprefix(" ") + "\n"
            continue
        pending = None
        if match is None or not known:
            continue
        key, value = match[1], match[2].strip()
        if key == "run":
            has_run = True
            words = shlex.split(value)
            split = words.index("--") if "--" in words else len(words)
            found.options, found.arguments = words[:split], words[split + 1 :]
        elif key == "expect-stdout":
            found.stdout, pending = "", "stdout"
        else:
            _set(found, key, value)
    return found if has_run else None


def _set(found: Expectation, key: str, value: str) -> None:
    if key == "cc":
        found.cc += shlex.split(value)
    elif key == "stdin":
        found.stdin += value + "\n"
    elif key == "share":
        found.share = value == "yes"
    elif key == "slow":
        found.slow = value == "yes"
    elif key == "mpi":
        found.mpi = found.slow = value == "yes"
    elif key == "expect-exit":
        found.exit_code = int(value)
    elif key == "expect-match":
        found.matches.append(value)
    elif key in ("also", "also-slow"):
        found.also.append((shlex.split(value), key == "also-slow"))
    elif key == "mutant":
        found.mutants.append(value)
    elif key == "expect-stderr":
        found.stderr.append(value)


def _header_lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if not line.startswith("//"):
            return
        yield line.rstrip()


def compile_program(source: Path, flags: Iterable[str] = (), *, compiler: str = "cc") -> Path:
    """The program of this source, built by `rck cc`, or `rck mpicc`, unless it is there already."""
    system = system_of(source)
    flags = [flag.replace("${system}", str(system)).replace("${root}", str(ROOT)) for flag in flags]
    key = hashlib.sha256(repr((compiler, flags) if compiler != "cc" else flags).encode())
    headers = source.parent.glob("*.h") if system is None else system.rglob("*.[ch]")
    for path in [source, *sorted(headers)]:
        key.update(path.read_bytes())
    key.update(_sysroot())
    program = CACHE / key.hexdigest()[:20] / source.stem
    if not program.exists():
        program.parent.mkdir(parents=True, exist_ok=True)
        built = ready.rck(compiler, source, "-o", program, *flags)
        assert built.returncode == 0, f"rck {compiler} failed:\n{built.stderr}"
    return program


@functools.cache
def _sysroot() -> bytes:
    """What the files of the sysroot are at the beginning of the tests: names, sizes, times."""
    files = sorted((ROOT / "python/rockcreek/_guest/sysroot").rglob("*"))
    known = [(path.name, path.stat()) for path in files if path.is_file()]
    return repr([(name, at.st_size, at.st_mtime_ns) for name, at in known]).encode()


def system_of(source: Path) -> Path | None:
    """The folder of the system that a file belongs to."""
    if not source.is_relative_to(SYSTEMS):
        return None
    return SYSTEMS / source.relative_to(SYSTEMS).parts[0]


def empty_share(program: Path) -> Path:
    """The folder that this program may share, with nothing in it."""
    folder = program.parent / "share"
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    return folder


def replaced_by(more: Sequence[str], options: Sequence[str]) -> list[str]:
    """`options` and then `more`; an option of `more` with its value replaces that of `options`."""
    kept = list(options)
    for option in [word for word in more if word.startswith("-")]:
        if option in kept:
            at = kept.index(option)
            del kept[at : at + 2]
    return [*kept, *more]


def run_program(
    program: Path,
    *arguments: str,
    options: Iterable[str] = (),
    stdin: str = "",
    timeout_s: int = TIMEOUT_S,
    launcher: str = "run",
) -> subprocess.CompletedProcess[str]:
    """`rck run`, or `rck mpirun`, in a process of its own. The options may have a limit."""
    own = list(options)
    limit = [] if "--timeout" in own else ["--timeout", f"{timeout_s}s"]
    return ready.rck(launcher, *limit, *own, program, *arguments, input=stdin)
