"""Object files and archives as a link finds them: 32-bit ELF, and the members of archives.

The layouts are those of the System V ABI (source key: sysv-abi-i386) and of GNU's archives.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ELF = b"\x7fELF\x01\x01"  # 32-bit, little-endian
BITCODE = b"BC\xc0\xde"
ARCHIVE, THIN = b"!<arch>\n", b"!<thin>\n"
MEMBER_HEADER = 60
SECTION = struct.Struct("<10I")
SYMBOL = struct.Struct("<IIIBBH")
SHT_SYMTAB, SHT_NOBITS, SHT_PROGBITS = 2, 8, 1
SHF_EXCLUDE = 0x80000000
SHN_COMMON = 0xFFF2
GLOBAL, WEAK = 1, 2
SHOFF, SHNUM = 0x20, 0x30  # in the ELF header: the table of sections, and how many; shstrndx behind


@dataclass(frozen=True)
class Symbol:
    """A global or weak symbol; a common one's value is its alignment."""

    name: str
    value: int
    size: int
    section: int
    weak: bool


def _sections(data: bytes) -> list[tuple[int, ...]]:
    (table,) = struct.unpack_from("<I", data, SHOFF)
    (count,) = struct.unpack_from("<H", data, SHNUM)
    return [SECTION.unpack_from(data, table + n * SECTION.size) for n in range(count)]


def _text(data: bytes, at: int) -> str:
    return data[at : data.index(b"\0", at)].decode(errors="replace")


def section(data: bytes, name: str) -> bytes | None:
    """The contents of a section of an object; None if it has none of this name."""
    headers = _sections(data)
    (names,) = struct.unpack_from("<H", data, SHNUM + 2)
    for header in headers:
        if header[1] != SHT_NOBITS and _text(data, headers[names][4] + header[0]) == name:
            return data[header[4] : header[4] + header[5]]
    return None


def symbols(data: bytes) -> list[Symbol]:
    """The symbols of an object that others see."""
    headers = _sections(data)
    found = []
    for header in headers:
        if header[1] != SHT_SYMTAB:
            continue
        strings = headers[header[6]][4]
        for at in range(header[4], header[4] + header[5], SYMBOL.size):
            name, value, size, info, _, place = SYMBOL.unpack_from(data, at)
            if info >> 4 in (GLOBAL, WEAK):
                text = _text(data, strings + name)
                found.append(Symbol(text, value, size, place, info >> 4 == WEAK))
    return found


def has_contents(data: bytes, symbol: Symbol) -> bool:
    """Whether a defined symbol has a value in the file: it is neither common nor zero."""
    headers = _sections(data)
    return symbol.section < len(headers) and headers[symbol.section][1] != SHT_NOBITS


def with_section(data: bytes, name: str, contents: bytes) -> bytes:
    """An object with one section more, which no link puts into its output.

    The section, a copy of the names of all sections and the table itself go to the end of the
    file, so that nothing else changes its place.
    """
    headers = [list(header) for header in _sections(data)]
    (names,) = struct.unpack_from("<H", data, SHNUM + 2)
    strings = data[headers[names][4] : headers[names][4] + headers[names][5]]
    result = bytearray(data)
    result += b"\0" * (-len(result) % 4)
    place = len(result)
    result += contents
    headers[names][4:6] = [len(result), len(strings) + len(name) + 1]
    result += strings + name.encode() + b"\0"
    result += b"\0" * (-len(result) % 4)
    struct.pack_into("<I", result, SHOFF, len(result))
    struct.pack_into("<H", result, SHNUM, len(headers) + 1)
    headers.append([len(strings), SHT_PROGBITS, SHF_EXCLUDE, 0, place, len(contents), 0, 0, 1, 0])
    for header in headers:
        result += SECTION.pack(*header)
    return bytes(result)


def length(data: bytes) -> int:
    """The bytes of an object whose table of sections comes last, as compilers write it."""
    if not data.startswith(ELF):
        return -1
    (table,) = struct.unpack_from("<I", data, SHOFF)
    (count,) = struct.unpack_from("<H", data, SHNUM)
    return int(table) + int(count) * SECTION.size


def is_archive(data: bytes) -> bool:
    """Whether a file is an archive."""
    return data.startswith((ARCHIVE, THIN))


def members(path: Path, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Name and contents of each member of an archive, thin ones read from where they lie."""
    thin = data.startswith(THIN)
    long_names = b""
    at = len(ARCHIVE)
    while at + MEMBER_HEADER <= len(data):
        header = data[at : at + MEMBER_HEADER]
        name, size = header[:16].rstrip(), int(header[48:58])
        at += MEMBER_HEADER
        special = name in (b"/", b"//", b"/SYM64/")
        body = data[at : at + size] if special or not thin else b""
        at += (size + size % 2) if special or not thin else 0
        if name == b"//":
            long_names = body
        if special or name.startswith(b"__.SYMDEF"):
            continue
        if name.startswith(b"/"):
            start = int(name[1:])
            name = long_names[start : long_names.index(b"\n", start)]
        text = name.removesuffix(b"/").decode(errors="replace")
        yield text, (path.parent / text).read_bytes() if thin else body
