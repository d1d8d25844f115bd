"""Symbols of 32-bit relocatable ELF files: reading, renaming, second names.

The layout is that of the System V ABI (source key: sysv-abi-i386). Only
what the sysroot needs is here: little-endian, one symbol table.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

MAGIC = b"\x7fELF\x01\x01"  # 32-bit, little-endian
SHT_SYMTAB = 2
SHN_UNDEF = 0
BIND_LOCAL = 0
BIND_GLOBAL = 1
BIND_WEAK = 2
OBJECT = 1
FUNCTION = 2
SECTION_HEADER = struct.Struct("<10I")
SYMBOL = struct.Struct("<IIIBBH")
INFO = 12  # its byte with binding and kind


@dataclass(frozen=True)
class Symbol:
    """A global or weak symbol of an object file."""

    name: str
    defined: bool
    entry: int
    """Offset of its table entry in the file."""
    kind: int = 0
    """`FUNCTION`, `OBJECT` or another type of the ABI."""


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
        result.append(Symbol(text, section != SHN_UNDEF, entry, info & 0xF))
    return result


def rename_definitions(data: bytes, rename: Callable[[str], str]) -> bytes:
    """Give defined symbols the names that ``rename`` returns."""
    changes = [
        (symbol, rename(symbol.name))
        for symbol in symbols(data)
        if symbol.defined and rename(symbol.name) != symbol.name
    ]
    found = _symbol_table(data) if changes else None
    if found is None:
        return data
    result = bytearray(data)
    strings = _strings(data, found[1])
    for symbol, name in changes:
        struct.pack_into("<I", result, symbol.entry, len(strings))
        strings += name.encode() + b"\0"
    _move(result, found[1][6], strings)
    return bytes(result)


def second_names(data: bytes, seconds: Mapping[str, str]) -> bytes:
    """Let an object define and use names by their second ones.

    A definition keeps its first name, too, as a weak symbol, which has the size: what looks for the
    name of an address finds the first one. The object's own uses go by the second one.
    """
    every = symbols(data)
    there = {symbol.name for symbol in every}
    changes = [
        symbol for symbol in every if symbol.name in seconds and seconds[symbol.name] not in there
    ]
    found = _symbol_table(data) if changes else None
    if found is None:
        return data
    result = bytearray(data)
    strings = _strings(data, found[1])
    more = bytearray()
    for symbol in changes:
        name, value, size, info, other, section = SYMBOL.unpack_from(data, symbol.entry)
        if symbol.defined:
            more += SYMBOL.pack(name, value, size, BIND_WEAK << 4 | symbol.kind, other, section)
            size = 0
        entry = (len(strings), value, size, info, other, section)
        SYMBOL.pack_into(result, symbol.entry, *entry)
        strings += seconds[symbol.name].encode() + b"\0"
    return _grown(result, found, strings, more)


def _grown(
    result: bytearray, table: tuple[int, tuple[int, ...]], strings: bytes, more: bytes
) -> bytes:
    """An object whose symbol table has its new strings, and `more` symbols behind its own."""
    index, header = table
    _move(result, header[6], strings)
    if more:
        _move(result, index, result[header[4] : header[4] + header[5]] + more)
    return bytes(result)


def set_apart(data: bytes, inner: Mapping[str, str]) -> bytes:
    """Let an object define names by other ones alone, while its own uses of them stay: another
    object defines these."""
    changes = [symbol for symbol in symbols(data) if symbol.defined and symbol.name in inner]
    found = _symbol_table(data) if changes else None
    if found is None:
        return data
    result = bytearray(data)
    strings = _strings(data, found[1])
    more = bytearray()
    for symbol in changes:
        name, value, size, info, other, section = SYMBOL.unpack_from(data, symbol.entry)
        more += SYMBOL.pack(len(strings), value, size, info, other, section)
        strings += inner[symbol.name].encode() + b"\0"
        SYMBOL.pack_into(result, symbol.entry, name, 0, 0, BIND_GLOBAL << 4, 0, 0)
    return _grown(result, found, strings, more)


def weaken(data: bytes, names: Collection[str]) -> bytes:
    """Let other definitions of these names replace an object's own ones."""
    result = bytearray(data)
    for symbol in symbols(data):
        if symbol.defined and symbol.name in names:
            result[symbol.entry + INFO] = BIND_WEAK << 4 | symbol.kind
    return bytes(result)


def _strings(data: bytes, table: tuple[int, ...]) -> bytearray:
    """The names of a symbol table."""
    header = _section(data, table[6])
    return bytearray(data[header[4] : header[4] + header[5]])


def _move(data: bytearray, index: int, contents: bytes | bytearray) -> None:
    """Give a section new contents at the end of the file: nothing else changes its place."""
    data += b"\0" * (-len(data) % 4)
    (headers,) = struct.unpack_from("<I", data, 0x20)
    (size,) = struct.unpack_from("<H", data, 0x2E)
    # sh_offset and sh_size.
    struct.pack_into("<II", data, headers + index * size + 16, len(data), len(contents))
    data += contents
