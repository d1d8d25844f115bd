"""Libraries of ours: what they need, and which one a link lacks.

What a system needs its guest.toml declares. `needs`: libraries behind it. `with`: a part of it for
programs that name another library, too (systems/svp goes over the sockets of systems/tcpip where
those are). Both are linked without being named.
"""

from __future__ import annotations

import re
import struct
import tomllib
from pathlib import Path
from typing import TypedDict, cast

# Libraries that a program has to name, those first that need the others: the systems', which
# the build lists in the sysroot, and then these.
OFFERED = ("ircce", "rcce_sync", "rcce")
SYSTEMS = "systems.txt"
NEEDS = "needs.toml"
UNDEFINED = re.compile(r"undefined symbol: (\w+)")
NOT_FOUND = re.compile(r"unable to find library -l(\S+)")
MAGIC = b"!<arch>\n"
HEADER_BYTES = 60  # of a member; its size is in decimal digits
SIZE = slice(48, 58)


def hint(words: str, folder: Path) -> str | None:
    """Which options are missing, by what the linker said and the libraries in a folder."""
    missing = set(UNDEFINED.findall(words))
    systems = folder.parent / SYSTEMS
    names = systems.read_text(encoding="utf-8").split() if systems.is_file() else []
    offered = [name for name in (*names, *OFFERED) if missing & symbols(folder / f"lib{name}.a")]
    options = [f"-l{name}" for name in offered]
    if not options:
        return None
    return f"a library of Rockcreek has what is undefined: add {' '.join(options)}"


def absent(words: str) -> str | None:
    """What to do about a library that is in no folder, by what the linker said."""
    name = NOT_FOUND.search(words)
    if name is None:
        return None
    return (
        f"this host's libraries are no code for the chip: make a lib{name[1]}.a of the library's"
        " sources by rck cc -c and rck ar, and name its folder by -L"
    )


def symbols(archive: Path) -> set[str]:
    """The names in an archive's index (the first member, "/": a count, so many offsets, all in
    four bytes, the most significant first, and the names, each with a zero behind it)."""
    try:
        data = archive.read_bytes()
        start = len(MAGIC) + HEADER_BYTES
        size = int(data[len(MAGIC) :][SIZE])
        (count,) = struct.unpack_from(">I", data, start)
    except (OSError, ValueError, struct.error):
        return set()
    names = data[start + 4 + 4 * count : start + size].split(b"\0")
    return {name.decode(errors="replace") for name in names[:count]}


class System(TypedDict, total=False):
    """A table of the file."""

    needs: list[str]


def declared(sysroot: Path) -> dict[str, System]:
    """By a library's name; none in a sysroot of a build without systems."""
    path = sysroot / NEEDS
    if not path.is_file():
        return {}
    return cast("dict[str, System]", tomllib.loads(path.read_text(encoding="utf-8")))


def with_needs(inputs: list[str], systems: dict[str, System]) -> list[str]:
    """The linker's inputs with what they need.

    >>> systems = {"svp": {"needs": [], "with": {"tcpip": "svp_tcpip"}}, "svm": {"needs": ["rcce"]}}
    >>> with_needs(["-lsvm"], systems)
    ['-lsvm', '-lrcce']
    >>> with_needs(["-lsvp", "-ltcpip"], systems)
    ['-lsvp_tcpip', '-lsvp', '-ltcpip']
    """
    named = {word[2:] for word in inputs if word.startswith("-l")}
    chosen = []
    for word in inputs:
        beside = cast("dict[str, str]", systems.get(word[2:], {}).get("with", {}))
        if word.startswith("-l"):
            chosen += [f"-l{part}" for other, part in beside.items() if other in named]
        chosen.append(word)
    for word in inputs:
        if word.startswith("-l"):
            for name in systems.get(word[2:], {}).get("needs", []):
                if f"-l{name}" not in chosen:
                    chosen.append(f"-l{name}")
    return chosen
