"""`rockcreek.compile`: from sources to a program for the chip, by the compilers behind `rck cc`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from rockcreek.errors import OutputError, ReportedError, UsageError
from rockcreek.outputs import write_whole

DEFAULT_FLAGS = ("-O2", "-lrcce")


def compile(
    sources: str | Path | Sequence[str | Path] = (),
    flags: Sequence[str] = DEFAULT_FLAGS,
    *,
    text: str | None = None,
    mpi: bool = False,
    cxx: bool = False,
    output: str | Path | None = None,
) -> Path:
    """Compile a program for the chip, and return its path for `rockcreek.run`.

        >>> ring = rockcreek.compile("ring.c")              # doctest: +SKIP
        >>> rockcreek.run(ring, ["1000"], n=48)             # doctest: +SKIP

    `sources`: one file of C or C++, or several.
    `flags`: what `rck cc` takes besides: optimisation, `-lircce`, `-pthread`, `-fopenmp`, `-I...`.
    `text`: the program itself, in place of files.
    `mpi`: the program uses MPI (`rck mpicc`).
    `cxx`: C++ even if the file ends in `.c`, or is `text`.
    `output`: the file to write; if none, the program lives in a temporary folder until Python ends.

    What the compiler says of a program that does not compile is the message of the error.
    """
    files = [sources] if isinstance(sources, str | Path) else list(sources)
    if (text is None) == (not files):
        raise UsageError(
            "compile: expected either files or `text`",
            hint='for example rockcreek.compile("ring.c") or rockcreek.compile(text="int main...")',
        )
    if any("\n" in str(one) for one in files):
        raise UsageError(
            "compile: the name of a file has several lines: is it the program itself?",
            hint="rockcreek.compile(text=...)",
        )
    if isinstance(flags, str):
        raise UsageError(f"compile: flags: expected a list, not {flags!r}", hint=f"{[flags]}")
    folder = Path(tempfile.mkdtemp(dir=_folder().name))
    if text is not None:
        source = folder / ("cell.cpp" if cxx else "cell.c")
        write_whole(source, text)
        files = [source]
    target = folder / Path(files[0]).stem if output is None else Path(output).absolute()
    return built(files, flags, target, mpi=mpi, cxx=cxx)


def built(
    sources: Sequence[str | Path],
    flags: Sequence[str],
    target: Path,
    *,
    mpi: bool = False,
    cxx: bool = False,
    folder: Path | None = None,
    hint: str | None = "correct the program, or the flags",
) -> Path:
    """The program, compiled in this folder by a process of its own; `target` is absolute."""
    compiler = {(False, False): "cc", (False, True): "c++", (True, False): "mpicc"}.get(
        (mpi, cxx), "mpicxx"
    )
    command = [sys.executable, "-m", "rockcreek", compiler, *flags, *map(str, sources)]
    try:
        done = subprocess.run(
            [*command, "-o", str(target)],
            cwd=folder, capture_output=True, text=True, errors="replace", check=False,
        )  # fmt: skip
    except (OSError, ValueError) as error:
        # ValueError: a flag or a name with a NUL in it.
        raise OutputError(f"cannot run the compiler: {error}", path=str(target)) from error
    if done.returncode != 0:
        # The temporary folder of a text says nothing to anybody.
        told = f"{sources[0]} does not compile:\n{done.stderr.strip()}"
        raise ReportedError(told.replace(f"{target.parent}/", ""), done.returncode, hint=hint)
    return target


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """The folder of programs without a named output; Python removes it at its end."""
    return tempfile.TemporaryDirectory(prefix="rck-programs-")
