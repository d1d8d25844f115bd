"""Unix archives of object files: reading and writing.

Written archives are the same for the same members: no dates, owners or modes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from . import elf

MAGIC = b"!<arch>\n"
HEADER_BYTES = 60


@dataclass(frozen=True)
class Member:
    """One object file of an archive."""

    name: str
    data: bytes

    def defines(self) -> set[str]:
        """The names that it defines for other objects."""
        return {s.name for s in elf.symbols(self.data) if s.defined}

    def needs(self) -> set[str]:
        """The names that other objects must define for it."""
        return {s.name for s in elf.symbols(self.data) if not s.defined}


def read(path: Path) -> list[Member]:
    """The members of an archive (GNU long names; index left out)."""
    data = path.read_bytes()
    if not data.startswith(MAGIC):
        raise ValueError(f"{path}: not an archive")
    members: list[Member] = []
    long_names = b""
    position = len(MAGIC)
    while position + HEADER_BYTES <= len(data):
        header = data[position : position + HEADER_BYTES]
        name = header[:16].rstrip()
        size = int(header[48:58])
        start = position + HEADER_BYTES
        body = data[start : start + size]
        position = start + size + size % 2
        if name == b"//":
            long_names = body
        elif name not in (b"/", b"/SYM64/"):
            members.append(Member(_text(name, long_names), body))
    return members


def _text(name: bytes, long_names: bytes) -> str:
    if name.startswith(b"/"):
        start = int(name[1:])
        name = long_names[start : long_names.index(b"\n", start)]
    return name.rstrip(b"/").decode()


def write(path: Path, members: Iterable[Member]) -> None:
    """Write an archive with its symbol index."""
    members = list(members)
    long_names = b""
    fields = []
    for member in members:
        name = member.name.encode() + b"/"
        if len(name) > 16:
            fields.append(b"/%d" % len(long_names))
            long_names += name + b"\n"
        else:
            fields.append(name)
    index = [(n, i) for i, m in enumerate(members) for n in sorted(m.defines())]
    text = b"".join(name.encode() + b"\0" for name, _ in index)
    index_size = 4 + 4 * len(index) + len(text)
    position = len(MAGIC) + HEADER_BYTES + index_size + index_size % 2
    if long_names:
        position += HEADER_BYTES + len(long_names) + len(long_names) % 2
    offsets = []
    for member in members:
        offsets.append(position)
        size = len(member.data)
        position += HEADER_BYTES + size + size % 2
    table = len(index).to_bytes(4, "big")
    table += b"".join(offsets[i].to_bytes(4, "big") for _, i in index)
    output = bytearray(MAGIC)
    _append(output, b"/", table + text)
    if long_names:
        _append(output, b"//", long_names)
    for field, member in zip(fields, members, strict=True):
        _append(output, field, member.data)
    path.write_bytes(output)


def _append(output: bytearray, name: bytes, body: bytes) -> None:
    header = b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (
        name, 0, 0, 0, b"100644", len(body),
    )  # fmt: skip
    output += header + body
    if len(body) % 2:
        output += b"\n"
