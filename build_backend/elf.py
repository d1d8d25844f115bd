"""Symbols of 32-bit relocatable ELF files: reading and renaming.

The layout is that of the System V ABI (source key: sysv-abi-i386). Only
what the sysroot needs is here: little-endian, one symbol table.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass

MAGIC = b"\x7fELF\x01\x01"  # 32-bit, little-endian
SHT_SYMTAB = 2
SHN_UNDEF = 0
BIND_LOCAL = 0
SECTION_HEADER = struct.Struct("<10I")
SYMBOL = struct.Struct("<IIIBBH")


@dataclass(frozen=True)
class Symbol:
    """A global or weak symbol of an object file."""

    name: str
    defined: bool
    entry: int
    """Offset of its table entry in the file."""


def _section(data: bytes, index: int) -> tuple[int, ...]:
    (table,) = struct.unpack_from("<I", data, 0x20)
    (size,) = struct.unpack_from("<H", data, 0x2E)
    return SECTION_HEADER.unpack_from(data, table + index * size)


def _symbol_table(data: bytes) -> tuple[int, tuple[int, ...]] | None:
    (count,) = struct.unpack_from("<H", data, 0x30)
    for index in range(count):
        header = _section(data, index)
        if header[1] == SHT_SYMTAB:
            return index, header
    return None


def symbols(data: bytes) -> list[Symbol]:
    """The symbols of an object that other objects can see."""
    if not data.startswith(MAGIC):
        return []
    found = _symbol_table(data)
    if found is None:
        return []
    _, header = found
    offset, size, link = header[4], header[5], header[6]
    strings = _section(data, link)[4]
    result = []
    for entry in range(offset, offset + size, SYMBOL.size):
        name, _, _, info, _, section = SYMBOL.unpack_from(data, entry)
        if info >> 4 == BIND_LOCAL:
            continue
        end = data.index(b"\0", strings + name)
        text = data[strings + name : end].decode()
        result.append(Symbol(text, section != SHN_UNDEF, entry))
    return result


def rename_definitions(data: bytes, rename: Callable[[str], str]) -> bytes:
    """Give defined symbols the names that ``rename`` returns.

    The string table moves to the end of the file with the new names added, so
    that nothing else in the file changes its place.
    """
    changes = [
        (symbol, rename(symbol.name))
        for symbol in symbols(data)
        if symbol.defined and rename(symbol.name) != symbol.name
    ]
    found = _symbol_table(data) if changes else None
    if found is None:
        return data
    link = found[1][6]
    strings = _section(data, link)
    table = bytearray(data[strings[4] : strings[4] + strings[5]])
    result = bytearray(data)
    for symbol, name in changes:
        struct.pack_into("<I", result, symbol.entry, len(table))
        table += name.encode() + b"\0"
    result += b"\0" * (-len(result) % 4)
    (headers,) = struct.unpack_from("<I", data, 0x20)
    (size,) = struct.unpack_from("<H", data, 0x2E)
    # sh_offset and sh_size of the string table's section header.
    struct.pack_into("<II", result, headers + link * size + 16, len(result), len(table))
    return bytes(result + table)
