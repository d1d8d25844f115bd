"""Objects whose time_t has 32 bits, and such as have 64, by the functions that they call.

The C library has both kinds of each function of the time under two names, and its headers choose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from . import object_files as objects

REDIRECTED = re.compile(r"__REDIR\((\w+), *(\w+)\)")
FOLDERS = ("", "sys")
REFERENCE = re.compile(r"(.*?)(?:\(.*\))?: (?:lazy )?(reference to|definition of) (\w+)")
# These have the C library of their own kind, and no time in what programs call.
LIBRARIES = {"libmpi.a", "liblwip.a"}


def names(include: Path) -> dict[str, bool]:
    """The functions of the time in the headers of a folder; whether theirs has 64 bits."""
    found: dict[str, bool] = {}
    for folder in FOLDERS:
        for path in (include / folder).glob("*.h"):
            for narrow, wide in REDIRECTED.findall(path.read_text(errors="replace")):
                found |= {narrow: False, wide: True}
    return found


def both(said: Iterable[str], kinds: dict[str, bool], sysroot: Path) -> tuple[str, str] | None:
    """A file of C of each kind, if the linker's words name some: 32 bits, 64 bits."""
    files: dict[bool, str] = {}
    own = set()
    references = []
    for found in map(REFERENCE.fullmatch, said):
        if found is None or found[3] not in kinds or found[1].startswith((str(sysroot), "<")):
            continue
        if found[2] == "definition of":
            own.add(found[3])
        else:
            references.append((found[1], found[3]))
    for file, name in references:
        kind = kinds[name]
        if name not in own and kind not in files and not _is_theirs(Path(file)):
            files[kind] = file
    return (files[False], files[True]) if len(files) > 1 else None


def _is_theirs(file: Path) -> bool:
    """Whether a file is C++, whose time_t always has 64 bits, or another system's library."""
    if file.name in LIBRARIES or not file.is_file():
        return True
    data = file.read_bytes()
    if objects.is_archive(data):
        bodies = [body for _, body in objects.members(file, data)]
    else:
        bodies = [data]
    return any(
        symbol.name.startswith("_Z")
        for body in bodies
        if body.startswith(objects.ELF)
        for symbol in objects.symbols(body)
    )
