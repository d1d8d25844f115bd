"""The flat bytes of an executable: what a loader of ROMs needs.

The layout is that of the System V ABI (source key: sysv-abi-i386).
"""

from __future__ import annotations

import struct

PT_LOAD = 1
PROGRAM_HEADER = struct.Struct("<8I")


def flatten(data: bytes) -> bytes:
    """What an executable puts into memory, from its lowest physical address
    to the last byte that the file holds; gaps are zero."""
    (table,) = struct.unpack_from("<I", data, 0x1C)
    size, count = struct.unpack_from("<HH", data, 0x2A)
    pieces = []
    for index in range(count):
        header = PROGRAM_HEADER.unpack_from(data, table + index * size)
        kind, offset, _, physical, length = header[:5]
        if kind == PT_LOAD and length:
            pieces.append((physical, data[offset : offset + length]))
    start = min(physical for physical, _ in pieces)
    flat = bytearray(max(physical + len(piece) for physical, piece in pieces) - start)
    for physical, piece in pieces:
        flat[physical - start : physical - start + len(piece)] = piece
    return bytes(flat)
