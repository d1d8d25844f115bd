"""ELF files for tests of bad input, made by hand."""

from __future__ import annotations

import struct
from pathlib import Path

I386, X86_64 = 3, 62
EXEC, REL, DYN = 2, 1, 3
BASE = 0x0804_8000
LOAD, DYNAMIC, INTERP = 1, 2, 3


def elf32(
    code: bytes = b"\xf4",
    *,
    machine: int = I386,
    kind: int = EXEC,
    extra_segment: int | None = None,
    size: int | None = None,
) -> bytes:
    """A 32-bit ELF with `code` at BASE + its header's size."""
    segments = [LOAD] + ([extra_segment] if extra_segment is not None else [])
    header_size = 52 + 32 * len(segments)
    total = header_size + len(code)
    ident = b"\x7fELF\x01\x01\x01" + bytes(9)
    header = ident + struct.pack(
        "<HHIIIIIHHHHHH",
        kind, machine, 1, BASE + header_size, 52, 0, 0, 52, 32, len(segments), 0, 0, 0,
    )  # fmt: skip
    table = b"".join(
        struct.pack("<IIIIIIII", kind_, 0, BASE, BASE, size or total, size or total, 5, 4096)
        for kind_ in segments
    )
    return header + table + code


def elf64() -> bytes:
    """The start of an x86-64 program."""
    ident = b"\x7fELF\x02\x01\x01" + bytes(9)
    return ident + struct.pack(
        "<HHIQQQIHHHHHH", EXEC, X86_64, 1, 0x400078, 0, 0, 0, 64, 56, 0, 0, 0, 0
    )


def write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


CODE = BASE + 52 + 32
