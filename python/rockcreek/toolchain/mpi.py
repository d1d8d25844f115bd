"""``rck mpicc``: ``rck cc`` with MPICH's headers and libraries, which ``make mpi`` builds and a
wheel carries."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from .built import Sources
from .driver import cc_main
from .paths import ToolchainError

EX_NOINPUT = 66
# Of our channel's library and of what it needs; it is there before main and after exit, for
# processes that others start, and for those that follow them on their cores.
SOURCES = Sources("rckmpi", ("mpich/channel/**/*.[ch]", "include/*.h", "mpich/mpich.toml"), "mpi")
LIBRARIES = ["-Wl,--wrap=main,--wrap=exit", "-lmpi", "-lrckmpi", "-lrcce"]


def folder() -> Path:
    """Where MPI is installed: RCK_MPI, build/mpi/install of the checkout, or the package."""
    if named := os.environ.get("RCK_MPI"):
        return Path(named)
    package = Path(__file__).resolve().parents[1]
    built, packed = package.parents[1] / "build/mpi/install", package / "_mpi"
    return packed if packed.is_dir() and not built.is_dir() else built


def there() -> bool:
    """Whether MPI has been built."""
    return (folder() / "lib/libmpi.a").is_file()


def usable() -> bool:
    """Whether it has been built from the sources as they are now."""
    return there() and not SOURCES.stale(folder() / "lib/libmpi.a")


# What MPICH's and Open MPI's compilers are asked about themselves: whether compiling, and linking.
QUESTIONS = {
    "-show": (True, True), "--showme": (True, True), "-showme": (True, True),
    "-compile_info": (True, False), "-compile-info": (True, False),
    "--showme:compile": (True, False), "-showme:compile": (True, False),
    "-link_info": (False, True), "-link-info": (False, True),
    "--showme:link": (False, True), "-showme:link": (False, True),
}  # fmt: skip


def answer(question: str, arguments: list[str], place: Path, *, cxx: bool) -> None:
    """Print what `rck-cc` would be called with; Open MPI's narrower questions are for options."""
    compiling, linking = QUESTIONS[question]
    words = [] if "showme:" in question else ["rck-c++" if cxx else "rck-cc"]
    words += [f"-I{place / 'include'}"] if compiling else []
    words += arguments
    words += [f"-L{place / 'lib'}", *LIBRARIES] if linking else []
    print(shlex.join(words))


def mpicc_main(arguments: Sequence[str], *, cxx: bool = False) -> int:
    """Compile and link a program that uses MPI; the exit code is the compiler's."""
    place, name = folder(), "mpicxx" if cxx else "mpicc"
    if not there():
        print(f"rck {name}: error: MPI is not there: no {place}/lib/libmpi.a", file=sys.stderr)
        hint = "in a checkout, 'make mpi' fetches and builds it; wheels made after that carry it"
        print(f"hint: {hint}", file=sys.stderr)
        return EX_NOINPUT
    try:
        SOURCES.check(place / "lib/libmpi.a")
    except ToolchainError as error:
        print(f"rck {name}: error: {error}\nhint: {error.hint}", file=sys.stderr)
        return error.code
    own = [f"-I{place / 'include'}"]
    if asked := [word for word in arguments if word in QUESTIONS]:
        answer(asked[0], [word for word in arguments if word not in QUESTIONS], place, cxx=cxx)
        return 0
    if not {"-c", "-E", "-S"} & set(arguments):
        own += [f"-L{place / 'lib'}"]
        return cc_main([*own, *arguments, *LIBRARIES], cxx=cxx)
    return cc_main([*own, *arguments], cxx=cxx)
