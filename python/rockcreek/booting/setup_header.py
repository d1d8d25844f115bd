"""Linux's boot protocol in numbers: struct setup_header and struct boot_params, by offset.

Documentation/arch/x86/boot.rst. A bzImage begins with sectors of setup code, which hold the header;
the protected-mode part, with the packed kernel in it, comes after them.
"""

from __future__ import annotations

SECTORS, SYSSIZE, BOOT_FLAG, JUMP, MAGIC, VERSION = 0x1F1, 0x1F4, 0x1FE, 0x200, 0x202, 0x206
NAME, LOADER, LOAD_FLAGS, CODE32_START, RAMDISK = 0x20E, 0x210, 0x211, 0x214, 0x218
COMMAND_LINE, RAMDISK_MAX, COMMAND_LINE_MAX = 0x228, 0x22C, 0x238
SUBARCH, PAYLOAD, INIT_SIZE, END = 0x23C, 0x248, 0x260, 0x268
ALT_MEMORY_KB, MAP_ENTRIES, MAP = 0x1E0, 0x1E8, 0x2D0
SECTOR, PARAGRAPH = 512, 16
# What a kernel may take in memory: one that spreads over more is damaged.
LARGEST = 1 << 28


def protected_mode(image: bytes) -> int:
    """Where in a bzImage the protected-mode part begins; no number of sectors stands for four."""
    return ((image[SECTORS] or 4) + 1) * SECTOR
