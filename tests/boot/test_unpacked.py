"""A bzImage with the kernel as it is in memory."""

from __future__ import annotations

import struct

import pytest

from rockcreek.booting import unpacked


def elf(start: int, entry: int) -> bytes:
    """A kernel of eight bytes in two segments, eight bytes apart."""
    header = b"\x7fELF\x01\x01\x01".ljust(16, b"\0")
    header += struct.pack("<HHIIIIIHHHHHH", 2, 3, 1, entry, 52, 0, 0, 52, 32, 2, 0, 0, 0)
    table = b""
    for n in range(2):
        at = start + 8 * n
        table += struct.pack("<8I", 1, 116 + 4 * n, 0xC0000000 + at, at, 4, 4, 5, 4)
    return header + table + b"abcdefgh"


def packed() -> bytes:
    head = bytearray(1024)
    head[0x1F1] = 1
    struct.pack_into("<I", head, 0x214, 0x100000)
    return bytes(head) + b"packed"


def test_an_image_has_the_kernel_as_it_is_in_memory() -> None:
    made = unpacked.image(packed(), elf(0x100000, 0x100000))
    assert made[1024:] == b"abcd\0\0\0\0efgh\0\0\0\0"
    assert struct.unpack_from("<I", made, 0x1F4) == (1,)


def test_a_kernel_that_runs_elsewhere_is_refused() -> None:
    for start, entry in ((0x1000000, 0x1000000), (0x100000, 0x100010)):
        with pytest.raises(ValueError, match="not at 0x100000"):
            unpacked.image(packed(), elf(start, entry))


def test_a_kernel_whose_segments_are_damaged_is_refused() -> None:
    good = bytearray(elf(0x100000, 0x100000))
    struct.pack_into("<I", good, 52 + 32 + 12, 0xC0000000)
    with pytest.raises(ValueError, match="bytes of memory"):
        unpacked.image(packed(), bytes(good))
    struct.pack_into("<H", good, 44, 0)
    with pytest.raises(ValueError, match="no segments"):
        unpacked.image(packed(), bytes(good))
