"""The functions that allocate and free, by name: which argument is what, and where blocks lie."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from rockcreek.software import thread_models
from rockcreek.software.image import Image

if TYPE_CHECKING:
    from rockcreek._native import AllocatorRow


@dataclass(frozen=True)
class Place:
    """Where an allocator has its blocks, in bytes: a block of fewer bytes than `large` lies among
    others in a granule of `small`, with nothing else; another one in pages of its own."""

    small: int
    pages: int
    large: int
    returns_large: bool  # freed pages go back to the kernel
    # Whether a library's own code has something else there.
    with_library: bool = False


# Zig's SmpAllocator, which the C library's malloc is: slabs of 64 KB, classes of two to the nth,
# and 8 bytes before a block; what needs more than half a slab is mapped.
_LIBC = Place(1 << 16, 4096, (1 << 15) - 7, returns_large=True)
_THREADS = Place(4096, 4096, 0, returns_large=False)  # systems/crf/crf_heap.c
_SHARED = Place(4096, 4096, 0, returns_large=False, with_library=True)


@dataclass(frozen=True)
class Function:
    """Which arguments have the block that is taken back, the place where the new one is left (if
    it is not returned), and the size; counted from 1."""

    gives: bool = True
    takes: int | None = None
    leaves: int | None = None
    size: int | None = None
    times: int | None = None
    place: Place = _LIBC
    zeros: bool = False  # whether all bytes of a new block are 0


FUNCTIONS = {
    "malloc": Function(size=1),
    "calloc": Function(size=1, times=2, zeros=True),
    "realloc": Function(takes=1, size=2),
    "reallocarray": Function(takes=1, size=2, times=3),
    "aligned_alloc": Function(size=2),
    "memalign": Function(size=2),
    "posix_memalign": Function(leaves=1, size=3),
    "valloc": Function(size=1),
    "pvalloc": Function(size=1),
    "free": Function(gives=False, takes=1),
    "RCCE_malloc": Function(size=1, place=_SHARED),
    "RCCE_free": Function(gives=False, takes=1, place=_SHARED),
    "RCCE_shmalloc": Function(size=1, place=_SHARED),
    "RCCE_shfree": Function(gives=False, takes=1, place=_SHARED),
    "svm_alloc": Function(size=1, place=_SHARED),
}


class Found(NamedTuple):
    """A function of a program, by its name."""

    name: str
    function: Function


def of(program: Image) -> dict[int, Found]:
    """The functions that this program has, by their first instruction."""
    found: dict[int, Found] = {}
    for name, function in FUNCTIONS.items():
        address = program.symbols.get(name)
        if address is not None:
            found.setdefault(address, Found(name, function))
    return found


def row(program: Image, address: int, function: Function) -> AllocatorRow:
    """The function as the engine takes it."""
    place = function.place
    if place is _LIBC and thread_models.has_threads(program):
        place = _THREADS
    contents = "zeros" if function.zeros else "shared" if place.with_library else "unwritten"
    return (
        address, function.gives, function.takes, function.leaves, (function.size, function.times),
        (place.small, place.pages), place.large, place.returns_large, contents,
    )  # fmt: skip


def returns(program: Image, functions: Iterable[int]) -> list[int]:
    """The instructions by which these functions return."""
    return sorted({at for function in functions for at in program.returns_of(function)})
