"""Raw images for the reset vector: what assembles into the last 64 KB of a core's addresses."""

from __future__ import annotations

from pathlib import Path

from elftools.elf.elffile import ELFFile

import ready

_SCRIPT = Path(__file__).with_suffix(".ld")


def assemble(source: Path, folder: Path) -> bytes:
    """The image of an assembler file; the first instruction is that of its section `.reset`."""
    path = folder / f"{source.stem}.elf"
    flags = ["-nostdlib", "-ffreestanding", "-Wl,-e,0xFFFFFFF0", "-T", str(_SCRIPT)]
    ready.rck("cc", *flags, source, "-o", path, check=True)
    image = bytearray(1 << 16)
    with path.open("rb") as file:
        for section in ELFFile(file).iter_sections():
            if section.name in (".text", ".reset"):
                at = section["sh_addr"] & 0xFFFF
                image[at : at + section["sh_size"]] = section.data()
    return bytes(image)
