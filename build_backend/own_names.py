"""A second name for each function of the C library, by which libraries call it.

C lets a program define `read`, `index` or any other name that ISO C does not keep for itself.
Libraries whose calls bind by that name would call the program's function. So in each archive of
the guest a function that the C library has is called, and defined, as ``__lib_NAME``; what a
program calls is a weak definition of NAME at the same place, which a program's own one replaces.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from pathlib import Path

from . import archive, elf

PREFIX = "__lib_"
# What the C library is made of.
LIBRARIES = ("libm.a", "libc.a", "libzigc.a", "libcompiler_rt.a")
# A program's own heap serves the libraries, too.
HEAP = {
    "malloc", "calloc", "realloc", "free", "aligned_alloc", "memalign", "posix_memalign",
    "malloc_usable_size", "reallocarray", "valloc",
}  # fmt: skip
# Links of threads and of MPI wrap these, also where libraries call them
# (python/rockcreek/toolchain/threads.py, mpi.py). A wrapper of a weak function may be missing, so
# they stay strong: a link of threads that needs fork fails.
WRAPPED = {"main", "exit", "sysconf", "pthread_attr_getstack", "fork"}


def public(members: Iterable[archive.Member], kinds: Container[int]) -> set[str]:
    """The functions or variables that the members have for programs."""
    return {
        symbol.name
        for member in members
        for symbol in elf.symbols(member.data)
        if symbol.defined and symbol.kind in kinds and not symbol.name.startswith("_")
    }


def of_libraries(folder: Path) -> set[str]:
    """The functions that have a second name in the C library of a folder."""
    return {
        name.removeprefix(PREFIX)
        for library in LIBRARIES
        if (folder / library).is_file()
        for member in archive.read(folder / library)
        for name in member.defines()
        if name.startswith(PREFIX)
    }


def called_by_second(members: Iterable[archive.Member], names: set[str]) -> list[archive.Member]:
    """The members, which define and call those functions by their second names; a heap of theirs
    gives way to a program's."""
    seconds = {name: PREFIX + name for name in names - HEAP - WRAPPED}
    return [
        archive.Member(member.name, elf.weaken(elf.second_names(member.data, seconds), HEAP))
        for member in members
    ]


def replaceable(members: Iterable[archive.Member]) -> list[archive.Member]:
    """The C library's members, whose functions and variables a program's own ones replace."""
    members = list(members)
    names = public(members, (elf.FUNCTION, elf.OBJECT)) - WRAPPED
    return [archive.Member(member.name, elf.weaken(member.data, names)) for member in members]


def change(path: Path, libraries: Path) -> None:
    """Give an archive that another build system made (lwIP's, MPICH's) the second names of the C
    library in a folder."""
    archive.write(path, called_by_second(archive.read(path), of_libraries(libraries)))
