"""What a fault was, by the functions of the libraries that stand above the program's own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rockcreek.inspection.backtrace import Frame

# What of the libraries ended the program, and what to do; the first that is among the frames.
_ENDS = (
    (
        re.compile(r"__assert_fail"),
        "aborted (a failed assertion)",
        "the assertion is above; it does not hold at the line named first",
    ),
    (
        re.compile(r"^scc_heap_misused$"),
        "aborted (a wrong free)",
        (
            "`rck run --check memory` names the lines that allocated the block, freed it, or wrote"
            " beyond the one before it"
        ),
    ),
    (
        re.compile(r"__cxa_(pure|deleted)_virtual"),
        "aborted (a pure virtual function was called)",
        "a constructor or destructor calls a function that only a derived class defines",
    ),
    (
        re.compile(r"__cxa_throw|__cxa_rethrow|failed_throw"),
        "aborted (an exception that nobody catches)",
        "catch it, or prevent it; its type is above",
    ),
    (
        re.compile(r"^std::terminate\(\)$"),
        "aborted (std::terminate)",
        (
            "catch the exception whose type is above, if one is, and let none leave noexcept; join"
            " or detach each std::thread before it is destroyed"
        ),
    ),
    (
        re.compile(r"^__stack_chk_fail"),
        "stack smashing: a write went beyond an array on the stack",
        "look for an array of the function named first that is shorter than what goes into it",
    ),
)
# Functions of the C library that fault for what they are given: the first that fits.
_FORMAT = "compare the format with its arguments: %s wants a string, %d a number"
_FILE = "is its file open? fopen returns NULL where it fails"
_CALLS = (
    (re.compile(r"^v?(fprintf|dprintf)$"), f"{_FILE}; {_FORMAT}"),
    (re.compile(r"^v?(s|sn|as)?printf$"), _FORMAT),
    (
        re.compile(r"^(__isoc99_)?v?fscanf$"),
        f"{_FILE}; each argument is an address (&variable)",
    ),
    (
        re.compile(r"^(__isoc99_)?v?s?scanf$"),
        "each argument of scanf is an address (&variable), and fits its format",
    ),
    (
        re.compile(
            r"^(f(gets|getc|read|puts|putc|write|close|flush|seek|tell|eof)|getline|rewind)$"
        ),
        _FILE,
    ),
    (
        re.compile(r"^(str|mem|wcs|bcopy|bzero|puts$|ato|sto)"),
        "look at the pointers and sizes that it is given",
    ),
    (
        re.compile(r"^(malloc|calloc|free|realloc)$"),
        (
            "a block was freed twice or written beyond its end before: `rck run --check memory`"
            " names the lines"
        ),
    ),
)


# Paths of what has a line and is not the program's: headers of the C++ library, our libraries.
_LIBRARIES = re.compile(r"/include/c\+\+/|^\./(guest|systems)/")


def end(frames: Sequence[Frame]) -> tuple[str, str] | None:
    """How the libraries ended the program: in words, and what to do."""
    names = [frame.function or "" for frame in frames]
    for pattern, what, hint in _ENDS:
        if any(pattern.search(name) for name in names):
            return what, hint
    return None


def _own(frames: Sequence[Frame]) -> int:
    """The first frame that is the program's own: it has a line, not one of a library."""
    own = (
        n
        for n, frame in enumerate(frames)
        if frame.line and not _LIBRARIES.search(frame.file or "")
    )
    return next(own, 0)


def own_first(frames: Sequence[Frame]) -> tuple[Frame, ...]:
    """The frames from the first one on that has a line: the program's own."""
    return tuple(frames[_own(frames) :])


def of_call(frames: Sequence[Frame]) -> tuple[str, str] | None:
    """The library's function that the program called and that faulted, and what to do."""
    at = _own(frames)
    called = frames[at - 1].function if at else None
    if called is None:
        return None
    hint = next((hint for pattern, hint in _CALLS if pattern.search(called)), None)
    return None if hint is None else (called.removeprefix("__isoc99_"), hint)
