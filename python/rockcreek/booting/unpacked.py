"""Linux as it is in memory, behind the header of a bzImage.

A bzImage unpacks itself, byte by byte, and a core's store that misses its caches is a packet of its
own: half of a boot. A boot loader that has the whole kernel can put it where it runs, and enters it
at the address that its header names.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from io import BytesIO

from elftools.elf.elffile import ELFFile

from rockcreek.booting import setup_header


@dataclass(frozen=True)
class InMemory:
    """A kernel's first physical address, and its bytes from there on."""

    start: int
    data: bytes


def in_memory(vmlinux: ELFFile) -> InMemory:
    """The kernel as it is in memory.

    Raises `ValueError` with what is wrong.
    """
    segments = [
        (one["p_paddr"], one.data()) for one in vmlinux.iter_segments("PT_LOAD") if one["p_filesz"]
    ]
    if not segments:
        raise ValueError("the kernel has no segments")
    start = min(at for at, _ in segments)
    size = max(at + len(data) for at, data in segments) - start
    if size > setup_header.LARGEST:
        raise ValueError(f"the kernel takes {size:,} bytes of memory")
    memory = bytearray(size)
    for at, data in segments:
        memory[at - start : at - start + len(data)] = data
    return InMemory(start, bytes(memory))


def image(packed: bytes, vmlinux: bytes) -> bytes:
    """The bzImage `packed` with the kernel itself in place of the one that is packed.

    Raises `ValueError` with what is wrong.
    """
    elf = ELFFile(BytesIO(vmlinux))
    memory = in_memory(elf)
    start, entry, kernel = memory.start, elf["e_entry"], memory.data
    header = bytearray(packed[: setup_header.protected_mode(packed)])
    wanted = struct.unpack_from("<I", header, setup_header.CODE32_START)[0]
    if not wanted == start == entry:
        text = (
            f"the kernel begins at 0x{start:x} and is entered at 0x{entry:x}, not at 0x{wanted:x}"
        )
        raise ValueError(text)
    kernel += bytes(-len(kernel) % setup_header.PARAGRAPH)
    struct.pack_into("<I", header, setup_header.SYSSIZE, len(kernel) // setup_header.PARAGRAPH)
    struct.pack_into("<II", header, setup_header.PAYLOAD, 0, 0)
    return bytes(header) + kernel
