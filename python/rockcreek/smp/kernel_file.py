"""A bzImage for the hypervisor: unpacked, its sensitive instructions replaced, checked.

The kernel in a bzImage is a packed ELF file, which its own first code would unpack in memory. Here
the host does that, so that the code can be read and changed before the guest begins.
"""

from __future__ import annotations

import lzma
import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO

from elftools.common.exceptions import ELFError
from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import Section

from rockcreek.booting import linux_image, setup_header, unpacked
from rockcreek.smp import sensitive
from rockcreek.smp.sensitive import CannotPatchError, Site, Symbols

_HAS_PAYLOAD = 0x0208  # version of the boot protocol
_GZIP, _XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
_WITH_GZIP_HEADER = 31
_ELF_HEADER = 52
# So many CMOVs may be data between functions, or code for processors that have it.
_FEW_CMOVS = 16


class KernelError(Exception):
    """A file that cannot be such a guest, in words that follow its name."""


@dataclass(frozen=True)
class Kernel:
    """What the hypervisor is given."""

    image: bytes  # a bzImage whose protected-mode part is the kernel itself, changed
    sites: tuple[Site, ...]
    version: str
    map_text: str | None = None  # its System.map, if there is one


def read(data: bytes, symbols: Symbols | None = None) -> Kernel:
    """The kernel of a bzImage, ready for ring 1."""
    if not linux_image.is_kernel(data):
        raise KernelError("is no bzImage: it has no setup header of Linux")
    if len(data) < setup_header.END:
        raise KernelError("ends before its setup header does")
    version = _version(data)
    if "SMP" not in version.split():
        raise KernelError(f"is a kernel for one processor ({version}): CONFIG_SMP=y")
    elf = bytearray(_payload(data))
    try:
        sections = _code(ELFFile(BytesIO(elf)))
        if not sections:
            raise KernelError("has no sections with code: its sensitive instructions are not found")
        sites = tuple(_sites(sections, symbols))
        _refuse_cmov(sites)
        _replace(elf, sections, sites)
        image = unpacked.image(data, bytes(elf))
    except (ELFError, CannotPatchError, ValueError) as error:
        raise KernelError(f"cannot run outside of ring 0: {error}") from error
    return Kernel(image, sites, version)


def system_map(text: str) -> Symbols:
    """The functions of a System.map.

    Raises `ValueError` if it is none.

    >>> system_map("c0100000 T _text\\nc0100010 t second\\nc0200000 D data\\n").names
    ('_text', 'second')
    """
    rows = [line.split() for line in text.splitlines()]
    functions = sorted(
        (int(row[0], 16), row[2]) for row in rows if len(row) == 3 and row[1] in "Tt"
    )
    return Symbols(tuple(at for at, _ in functions), tuple(name for _, name in functions))


def _version(data: bytes) -> str:
    """Release, builder and options, as `uname -rv` says them."""
    at = setup_header.JUMP + struct.unpack_from("<H", data, setup_header.NAME)[0]
    text = data[at : at + 256].partition(b"\0")[0] if at > setup_header.JUMP else b""
    return text.decode("ascii", errors="replace")


def _payload(data: bytes) -> bytes:
    """The ELF file in a bzImage."""
    version = struct.unpack_from("<H", data, setup_header.VERSION)[0]
    if version < _HAS_PAYLOAD:
        raise KernelError("has a boot protocol older than 2.08: where its kernel lies is not said")
    offset, length = struct.unpack_from("<II", data, setup_header.PAYLOAD)
    begin = setup_header.protected_mode(data) + offset
    packed = data[begin : begin + length]
    if len(packed) < length or not length:
        raise KernelError("ends before its kernel does")
    elf = _unpacked(packed)
    if elf[:4] != b"\x7fELF":
        raise KernelError("holds no ELF file")
    if len(elf) < _ELF_HEADER:
        raise KernelError("holds an ELF file that ends before its header does")
    if elf[4] != 1 or struct.unpack_from("<H", elf, 18)[0] != 3:
        raise KernelError("is no kernel for 32-bit processors: ARCH=i386")
    return elf


def _unpacked(packed: bytes) -> bytes:
    stream: zlib._Decompress | lzma.LZMADecompressor
    if packed.startswith(_GZIP):
        stream = zlib.decompressobj(_WITH_GZIP_HEADER)
    elif packed.startswith(_XZ):
        stream = lzma.LZMADecompressor()
    else:
        raise KernelError("is packed neither with gzip nor with xz: CONFIG_KERNEL_GZIP=y")
    try:
        data = stream.decompress(packed, setup_header.LARGEST)
    except (zlib.error, lzma.LZMAError) as error:
        raise KernelError(f"holds a damaged kernel: {error}") from error
    if len(data) == setup_header.LARGEST:
        raise KernelError(f"holds a kernel of {setup_header.LARGEST >> 20} MB or more")
    if not stream.eof:
        raise KernelError("holds a damaged kernel: it ends too early")
    return data


def _code(elf: ELFFile) -> list[Section]:
    """The sections with code."""
    found = [
        section
        for section in elf.iter_sections()
        if section["sh_flags"] & SH_FLAGS.SHF_EXECINSTR and section["sh_type"] == "SHT_PROGBITS"
    ]
    if any(section.compressed for section in found):
        raise KernelError("has a section of compressed code, which cannot run as it is")
    return found


def _sites(sections: Iterable[Section], symbols: Symbols | None) -> Iterable[Site]:
    """The sensitive instructions of all sections with code."""
    for section in sections:
        yield from sensitive.find(section.data(), section["sh_addr"], symbols or Symbols())


def _refuse_cmov(sites: Iterable[Site]) -> None:
    found = [site for site in sites if site.mnemonic == "CMOV"]
    if len(found) > _FEW_CMOVS:
        where = f"0x{found[0].address:x} {found[0].symbol}".rstrip()
        text = f"needs CMOV, which a P54C has not ({len(found)} of them, the first at {where})"
        raise KernelError(f"{text}: CONFIG_M586TSC=y")


def _replace(elf: bytearray, sections: Iterable[Section], sites: Iterable[Site]) -> None:
    """Each site's bytes in the file."""
    for site in sites:
        section = next(
            one
            for one in sections
            if one["sh_addr"] <= site.address < one["sh_addr"] + one["sh_size"]
        )
        at = section["sh_offset"] + site.address - section["sh_addr"]
        elf[at : at + len(site.after)] = site.after
