"""The bare-metal library asks for no more than a small libc."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

from elftools.elf.elffile import ELFFile

LIB = Path(__file__).resolve().parents[2] / "python/rockcreek/_guest/sysroot/lib"
# malloc, printf, atoi, atof as of old, and what compilers call themselves.
LIBC = {"malloc", "calloc", "free", "printf", "puts", "putchar", "atoi", "atof"}
LIBC |= {"strcpy", "strlen", "memcpy", "memmove", "memset", "__udivdi3", "__divdi3"}


def _symbols(path: Path) -> tuple[set[str], set[str]]:
    defined: set[str] = set()
    wanted: set[str] = set()
    names = subprocess.run(
        [sys.executable, "-m", "rockcreek", "ar", "t", str(path)],
        capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    for name in names:
        data = subprocess.run(
            [sys.executable, "-m", "rockcreek", "ar", "p", str(path), name],
            capture_output=True, check=True,
        ).stdout  # fmt: skip
        table = ELFFile(io.BytesIO(data)).get_section_by_name(".symtab")
        for symbol in table.iter_symbols():
            if symbol["st_info"]["bind"] == "STB_LOCAL" or not symbol.name:
                continue
            (wanted if symbol["st_shndx"] == "SHN_UNDEF" else defined).add(symbol.name)
    return defined, wanted


def test_bare_library_needs_a_small_libc_only() -> None:
    defined, wanted = _symbols(LIB / "librcce_bare.a")
    assert {"RCCE_init", "RCCE_send", "RCCE_iset_power", "RCCE_flag_write_bit"} <= defined
    assert wanted - defined <= LIBC
