"""Linux as it is in memory, behind the header of a bzImage.

A bzImage unpacks itself, byte by byte, and a core's store that misses its caches is a packet of its
own: half of a boot. A boot loader that has the whole kernel can put it where it runs, and enters it
at the address that its header names.
"""

from __future__ import annotations

import struct
from io import BytesIO

from elftools.elf.elffile import ELFFile

# struct setup_header of Linux's boot protocol (Documentation/arch/x86/boot.rst), by offset.
_SECTORS, _SYSSIZE, _CODE32_START, _PAYLOAD = 0x1F1, 0x1F4, 0x214, 0x248
_SECTOR, _PARAGRAPH = 512, 16
# A kernel has a few megabytes: what spreads over more is damaged.
_LARGEST = 1 << 28


def in_memory(vmlinux: bytes) -> tuple[int, bytes]:
    """The kernel's first physical address, and its bytes from there on.

    Raises `ValueError` with what is wrong.
    """
    segments = [
        (one["p_paddr"], one.data())
        for one in ELFFile(BytesIO(vmlinux)).iter_segments("PT_LOAD")
        if one["p_filesz"]
    ]
    if not segments:
        raise ValueError("the kernel has no segments")
    start = min(at for at, _ in segments)
    size = max(at + len(data) for at, data in segments) - start
    if size > _LARGEST:
        raise ValueError(f"the kernel takes {size:,} bytes of memory")
    memory = bytearray(size)
    for at, data in segments:
        memory[at - start : at - start + len(data)] = data
    return start, bytes(memory)


def image(packed: bytes, vmlinux: bytes) -> bytes:
    """The bzImage `packed` with the kernel itself in place of the one that is packed.

    Raises `ValueError` with what is wrong.
    """
    start, kernel = in_memory(vmlinux)
    header = bytearray(packed[: ((packed[_SECTORS] or 4) + 1) * _SECTOR])
    wanted = struct.unpack_from("<I", header, _CODE32_START)[0]
    entry = ELFFile(BytesIO(vmlinux))["e_entry"]
    if not wanted == start == entry:
        text = (
            f"the kernel begins at 0x{start:x} and is entered at 0x{entry:x}, not at 0x{wanted:x}"
        )
        raise ValueError(text)
    kernel += bytes(-len(kernel) % _PARAGRAPH)
    struct.pack_into("<I", header, _SYSSIZE, len(kernel) // _PARAGRAPH)
    struct.pack_into("<II", header, _PAYLOAD, 0, 0)
    return bytes(header) + kernel
