"""Kernels of Linux's boot protocol (`bzImage`), started at their 32-bit entry.

What a boot loader does by Documentation/arch/x86/boot.rst: the protected-mode part goes to 1 MB,
`struct boot_params` carries the image's own setup header, the memory map, the command line and the
initial file system, and the kernel is entered in flat protected mode with ESI at the parameters.
The 16-bit part is not run: there is no BIOS. `wrap` makes one multiboot kernel of all that, which
the chip's loader puts into a core's memory; a few instructions in it set the registers.
"""

from __future__ import annotations

import re
import struct
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from rockcreek.booting import setup_header
from rockcreek.errors import UsageError

# Where things go; all but the kernel is where old kernels expect it, below 640 KB.
PARAMETERS, COMMAND_LINE, ENTER = 0x90000, 0x91000, 0x92000
KERNEL = 0x100000
LOW_MEMORY = 0x9F000
_PAGE = 4096
# Above the initial file system: room for what the multiboot loader adds.
_ROOM = 1 << 16
_SPACE = 1 << 32
_LOADED_HIGH, _UNKNOWN_LOADER, _USABLE = 1, 0xFF, 1
# `hardware_subarch` of the protocol (since 2.07). The SCC's is that of its Linux 2.6.38 and 3.1
# (hpi-scc/linux-kernel, arch/x86/include/asm/bootparam.h: X86_SUBARCH_SCC).
PLATFORMS = {"pc": 0, "lguest": 1, "xen": 2, "intel-mid": 3, "ce4100": 4, "scc": 5}


class TooLittleMemory(ValueError):
    """What is too large for a core's memory."""


@dataclass(frozen=True)
class Start:
    """The values that the boot protocol gives the kernel."""

    command_line: str = ""
    initrd: bytes = b""
    platform: int = 0
    memory: int | None = None  # bytes of memory that the kernel may use; None: all that there is


def is_kernel(data: bytes) -> bool:
    """Whether a file has a setup header."""
    has_flag = data[setup_header.BOOT_FLAG : setup_header.BOOT_FLAG + 2] == b"\x55\xaa"
    return has_flag and data[setup_header.MAGIC : setup_header.MAGIC + 4] == b"HdrS"


def own_memory(entries: Sequence[Hashable], segment: int) -> int:
    """The bytes of memory that begin at 0, by the entries of a core's LUT: an entry that a second
    slot has as well (so it stands for nothing, or for what is shared) ends it.

    >>> own_memory(["a", "b", "none", "none", "shared"], 1 << 24) >> 20
    32
    """
    how_many = Counter(entries)
    slots = takewhile(lambda entry: entry is not None and how_many[entry] == 1, entries)
    return min(sum(1 for _ in slots) * segment, _SPACE)


def parse_size(text: str) -> int:
    """Bytes of --memory.

    >>> parse_size("64M"), parse_size("1G")
    (67108864, 1073741824)
    """
    found = re.fullmatch(r"(\d{1,6})([KMG])", text)
    if found is None:
        raise UsageError(f"--memory {text}: this is no size", hint="for example 64M")
    return int(found[1]) << {"K": 10, "M": 20, "G": 30}[found[2]]


def platform(text: str) -> int:
    """A name of `PLATFORMS`, or a number.

    >>> platform("scc"), platform("0x10")
    (5, 16)
    """
    if text in PLATFORMS:
        return PLATFORMS[text]
    try:
        number = int(text, 0)
    except ValueError:
        number = -1
    if not 0 <= number < _SPACE:
        names = ", ".join(PLATFORMS)
        raise UsageError(f"--platform {text}: no such platform", hint=f"{names}, or a number")
    return number


def wrap(image: bytes, start: Start, end: int) -> bytes:
    """A multiboot kernel that starts this one in memory that ends at `end`.

    Raises `ValueError` with what is wrong.
    """
    setup_end = setup_header.protected_mode(image)
    version = struct.unpack_from("<H", image, setup_header.VERSION)[0]
    if not image[setup_header.LOAD_FLAGS] & _LOADED_HIGH:
        raise ValueError("is a zImage, which is too old: `make bzImage`")
    if version < 0x0202:
        raise ValueError(
            f"has boot protocol {version >> 8}.{version & 0xFF:02}; 2.02 is the oldest"
        )
    if len(image) <= setup_end:
        raise ValueError("ends before its protected-mode part")
    text = start.command_line.encode() + b"\0"
    most = (
        struct.unpack_from("<I", image, setup_header.COMMAND_LINE_MAX)[0]
        if version >= 0x0206
        else 255
    )
    most = min(most, ENTER - COMMAND_LINE - 1)
    if len(text) - 1 > most:
        raise ValueError(f"takes a command line of {most} bytes, this one has {len(text) - 1}")
    kernel = image[setup_end:]
    told = end if start.memory is None else min(start.memory, end)
    needed = len(kernel)
    if version >= 0x020A:
        needed = max(needed, struct.unpack_from("<I", image, setup_header.INIT_SIZE)[0])
    ramdisk = _place_ramdisk(image, version, start.initrd, min(told, end - _ROOM), needed)
    code32 = struct.unpack_from("<I", image, setup_header.CODE32_START)[0] or KERNEL
    if not KERNEL <= code32 < KERNEL + len(kernel):
        raise ValueError(f"begins at 0x{code32:08x}, which is not in its protected-mode part")
    page = _parameters(image, version, start, told, ramdisk)
    parts = [(ENTER, _enter(code32)), (PARAMETERS, page), (COMMAND_LINE, text), (KERNEL, kernel)]
    if start.initrd:
        parts.append((ramdisk, start.initrd))
    return _elf(parts)


def _place_ramdisk(image: bytes, version: int, initrd: bytes, end: int, needed: int) -> int:
    """The address of the initial file system: as high as memory and the header allow."""
    if KERNEL + needed > end:
        raise TooLittleMemory(f"needs {needed:,} bytes from 1 MB on; memory ends at 0x{end:08x}")
    if version >= 0x0203:
        end = min(end, struct.unpack_from("<I", image, setup_header.RAMDISK_MAX)[0] + 1)
    at = (end - len(initrd)) // _PAGE * _PAGE
    if initrd and at < KERNEL + needed:
        text = f"and an initial file system of {len(initrd):,} bytes do not fit"
        raise TooLittleMemory(f"{text} into memory that ends at 0x{end:08x}")
    return at


def _parameters(image: bytes, version: int, start: Start, told: int, ramdisk: int) -> bytes:
    """`struct boot_params`: the header as it is in the image, and what a boot loader fills in."""
    page = bytearray(_PAGE)
    header_end = setup_header.MAGIC + image[setup_header.MAGIC - 1]
    page[setup_header.SECTORS : header_end] = image[setup_header.SECTORS : header_end]
    page[setup_header.LOADER] = _UNKNOWN_LOADER
    struct.pack_into("<I", page, setup_header.COMMAND_LINE, COMMAND_LINE)
    if start.initrd:
        struct.pack_into("<II", page, setup_header.RAMDISK, ramdisk, len(start.initrd))
    if version >= 0x0207:
        struct.pack_into("<I", page, setup_header.SUBARCH, start.platform)
    elif start.platform:
        raise ValueError("has no field for --platform: its boot protocol is older than 2.07")
    struct.pack_into("<I", page, setup_header.ALT_MEMORY_KB, (told - KERNEL) >> 10)
    ranges = [(0, LOW_MEMORY), (KERNEL, told - KERNEL)]
    page[setup_header.MAP_ENTRIES] = len(ranges)
    for n, (at, length) in enumerate(ranges):
        struct.pack_into("<QQI", page, setup_header.MAP + 20 * n, at, length, _USABLE)
    return bytes(page)


def _enter(code32: int) -> bytes:
    """A multiboot header, then what leads from multiboot's entry into the kernel's: caches on,
    selectors 0x10 and 0x18 flat, ESI at the parameters, EBP, EDI and EBX zero."""
    header = struct.pack("<III", 0x1BADB002, 0, -0x1BADB002 & 0xFFFFFFFF)
    code = b"\x0f\x20\xc0"  # mov eax, cr0
    code += b"\x25" + struct.pack("<I", 0x9FFFFFFF)  # and eax, not (CD or NW)
    code += b"\x0f\x22\xc0"  # mov cr0, eax
    code += b"\x0f\x01\x15" + struct.pack("<I", ENTER + 0x80)  # lgdt
    code += b"\xb8" + struct.pack("<I", 0x18)  # mov eax, 0x18
    code += b"\x8e\xd8\x8e\xc0\x8e\xe0\x8e\xe8\x8e\xd0"  # mov ds, es, fs, gs, ss
    code += b"\xbc" + struct.pack("<I", PARAMETERS)  # mov esp: the page below
    code += b"\xbe" + struct.pack("<I", PARAMETERS)  # mov esi
    code += b"\x31\xed\x31\xff\x31\xdb"  # xor ebp, edi, ebx
    code += b"\xea" + struct.pack("<IH", code32, 0x10)  # jmp 0x10:code32
    table = struct.pack("<HI", 4 * 8 - 1, ENTER + 0x88).ljust(8, b"\0")
    table += struct.pack("<QQQQ", 0, 0, 0x00CF9A000000FFFF, 0x00CF92000000FFFF)
    return (header + code).ljust(0x80, b"\0") + table


def _elf(parts: list[tuple[int, bytes]]) -> bytes:
    """An ELF file with these segments; execution begins behind the first one's header."""
    head, entry_bytes = 52, 32
    offset = head + entry_bytes * len(parts)
    headers, body = b"", b""
    for address, data in parts:
        sizes = (len(data), len(data))
        headers += struct.pack("<8I", 1, offset + len(body), address, address, *sizes, 7, 1)
        body += data
    identification = b"\x7fELF\x01\x01\x01".ljust(16, b"\0")
    entry = parts[0][0] + 12
    rest = (2, 3, 1, entry, head, 0, 0, head, entry_bytes, len(parts), 0, 0, 0)
    return identification + struct.pack("<HHIIIIIHHHHHH", *rest) + headers + body
