"""What a link did not find though a library of ours has it."""

from __future__ import annotations

import re
import struct
from pathlib import Path

# Libraries that a program has to name, those first that need the others: the systems', which
# the build lists in the sysroot, and then these.
OFFERED = ("ircce", "rcce_sync", "rcce")
SYSTEMS = "systems.txt"
UNDEFINED = re.compile(r"undefined symbol: (\w+)")
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
