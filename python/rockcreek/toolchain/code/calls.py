"""Calls of RCCE and MPI whose buffer fits neither their type nor their size, by a second look.

A buffer of another type than the call names, and the size of a pointer for that of its data, are
correct C, above all behind the cast to `char *` that RCCE asks for. The second look makes no code:
the headers in calls/ stand before the libraries' own, and turn calls into others that Clang checks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

LOOK = (
    "-fsyntax-only", "-fno-color-diagnostics", "-fno-caret-diagnostics", "-Wno-everything",
    "-Wtype-safety", "-Wsizeof-pointer-memaccess", "-Wno-error", "-ferror-limit=0",
)  # fmt: skip
HEADERS = ("-I", str(Path(__file__).parent / "calls"))  # before the user's own
OFF = {"-w", "-Wno-type-safety", "-Wno-sizeof-pointer-memaccess"}
_CALLS = re.compile(
    r"\bRCCE_(?:coll_)?(?:all)?reduce\s*\("
    r"|\bi?RCCE_\w+\s*\([^;]*,\s*sizeof\b[^,;]*,"
)
# In the source itself: what is part of MPICH includes it by way of other headers.
_MPI = re.compile(r"^\s*#\s*include\s*[<\"]mpi\.h[>\"]", re.MULTILINE)
# MPICH has tags for its datatypes, but for compilers that dislike them on `const` (its configure
# says so of ours, wrongly for C of today).
_TAGLESS = re.compile(r"^#\s*define NO_TAGS_WITH_MODIFIERS 1$", re.MULTILINE)

# Casts to bytes as C++ writes them, on one line.
_BYTES = r"< *((?:const +)?(?:(?:unsigned +)?char *\*|t_vcharp) *)>"
_CAST = re.compile(rf"\breinterpret_cast *{_BYTES}()(?= *\()")
_TWO_CASTS = re.compile(
    rf"\bstatic_cast *{_BYTES} *\( *static_cast *< *(?:const +)?void *\* *> *(\([^()\n]*\)) *\)"
)

_TYPED = re.compile(
    r"^(?P<place>.+?:\d+):(?P<column>\d+): warning: argument type '(?P<held>[^']*)'"
    r"(?: \(aka '(?P<held_aka>[^']*)'\))? doesn't match specified '\w+' type tag that requires"
    r" '(?P<named>[^']*)'(?: \(aka '(?P<named_aka>[^']*)'\))?",
    re.MULTILINE,
)
_SIZED = re.compile(
    r"^(?P<place>.+?:\d+):(?P<column>\d+): warning: .*\[-Wsizeof-pointer-memaccess\]", re.MULTILINE
)
_POINTER = re.compile(r"(?P<element>[\w ]+?) ?(?:\*|\(\*\)(?:\[\d*\])+)")
# Sorts and sizes of the numbers: of one sort and size, one may stand for the other. Bytes may hold
# anything, and so may structures and pointers, which have no place here.
_NUMBERS = {
    "short": ("integer", 2), "int": ("integer", 4), "long": ("integer", 4),
    "long long": ("integer", 8), "float": ("float", 4), "double": ("float", 8),
    "long double": ("float", 12),
}  # fmt: skip
_QUALIFIERS = re.compile(r"\b(?:const|volatile|restrict|__restrict|signed|unsigned)\b ?")


def worth_a_look(flags: list[str], source: str, texts: Iterable[str]) -> bool:
    """Whether a source, or a file that it is made of, may have calls of the kind."""
    if OFF & set(flags):
        return False
    return _MPI.search(source) is not None or any(_CALLS.search(text) for text in texts)


def tagged(flags: list[str]) -> Iterator[tuple[Path, str]]:
    """MPICH's header, as the options name its folder, with the tags that its configure left out."""
    for flag in flags:
        header = Path(flag[2:]) / "mpi.h"
        if flag.startswith("-I") and header.is_file():
            yield header, _TAGLESS.sub("", header.read_text(errors="surrogateescape"))


def with_casts_of_c(source: Path, text: str) -> Iterator[tuple[Path, str]]:
    """A source of C++ whose casts to bytes are those of C, which the headers take off, each at its
    place in its line."""
    if (changed := _TWO_CASTS.sub(_as_c, _CAST.sub(_as_c, text))) != text:
        yield source, changed


def _as_c(cast: re.Match[str]) -> str:
    return f"({cast[1]})".ljust(len(cast[0]) - len(cast[2])) + cast[2]


def warnings(looked: str, words: str) -> Iterator[str]:
    """What Clang said of the calls, each once, where its own `words` of the source do not."""
    told = set()
    for said in _TYPED.finditer(looked):
        held = _number(said["held_aka"] or said["held"])
        named = _number(said["named_aka"] or said["named"])
        if held is None or named is None or held[1] == named[1]:
            continue
        what = f"holds '{held[0]}', but the type given says '{named[0]}'"
        way = "let both be of one type [-Wtype-safety]"
        told.add((said["place"], said["column"], f"the buffer {what}: {way}"))
    for said in _SIZED.finditer(looked):
        what = "is that of a pointer, not of the data that it points to"
        way = "number of elements * sizeof *pointer [-Wsizeof-pointer-memaccess]"
        told.add((said["place"], said["column"], f"the size {what}: {way}"))
    seen = set()
    for place, column, what in sorted(told, key=_order):
        if f"{place}:{column}: warning" in words or (place, what) in seen:
            continue
        seen.add((place, what))
        yield f"{place}:{column}: warning: {what}"


def _order(told: tuple[str, str, str]) -> tuple[str, int, int]:
    path, _, line = told[0].rpartition(":")
    return path, int(line), int(told[1])


def _number(pointer: str) -> tuple[str, tuple[str, int]] | None:
    """What a pointer or an array of arrays holds, and its sort and size, if that is a number."""
    if (found := _POINTER.fullmatch(_QUALIFIERS.sub("", pointer).strip())) is None:
        return None
    name = found["element"]
    return (name, _NUMBERS[name]) if name in _NUMBERS else None
