"""Small files with what `rck smp` asks of a Linux: an ELF file, and a bzImage around it."""

from __future__ import annotations

import struct

# Where the code is linked to run.
AT = 0xC0100000


def elf(code: bytes, machine: int = 3, entry: int = 0x100000) -> bytes:
    """An ELF file with one segment of one section, as `vmlinux` without symbols."""
    names = b"\0.text\0.names\0"
    head, table = 52, 32
    start = head + table
    at_names = start + len(code)
    at_sections = at_names + len(names)
    words = (2, machine, 1, entry, head, at_sections, 0, head, table, 1, 40, 3, 2)
    file = b"\x7fELF\x01\x01\x01".ljust(16, b"\0") + struct.pack("<HHIIIIIHHHHHH", *words)
    file += struct.pack("<8I", 1, start, AT, 0x100000, len(code), len(code), 5, 4096)
    file += code + names + bytes(40)
    file += struct.pack("<10I", 1, 1, 6, AT, start, len(code), 0, 0, 1, 0)
    file += struct.pack("<10I", 7, 3, 0, 0, at_names, len(names), 0, 0, 1, 0)
    return file


def image(
    payload: bytes, version: str = "6.1.0 (rck@rck) #1 SMP 2010", protocol: int = 0x20F
) -> bytes:
    """A bzImage of two sectors."""
    head = bytearray(1024)
    head[0x1F1] = 1
    head[0x1FE:0x206] = b"\x55\xaa\xeb\x66HdrS"
    struct.pack_into("<H", head, 0x206, protocol)
    struct.pack_into("<H", head, 0x20E, 0x300 - 0x200)
    text = version.encode() + b"\0"
    head[0x300 : 0x300 + len(text)] = text
    struct.pack_into("<I", head, 0x214, 0x100000)
    struct.pack_into("<II", head, 0x248, 16, len(payload))
    return bytes(head) + bytes(16) + payload
