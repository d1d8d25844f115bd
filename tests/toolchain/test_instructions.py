"""No linked program may hold an instruction that the cores (P54C) lack."""

from __future__ import annotations

from pathlib import Path

import iced_x86
import pytest
from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile

import ready

ROOT = Path(__file__).resolve().parents[2]
GUEST = ROOT / "python/rockcreek/_guest"
# What a Pentium of family 5 without MMX decodes (intel-pentium-1995). PAUSE is its REP NOP.
PENTIUM = {
    "INTEL8086", "INTEL8086_ONLY", "INTEL186", "INTEL286", "INTEL386", "INTEL486", "FPU",
    "FPU287", "FPU387", "CPUID", "CX8", "TSC", "MSR", "CL1INVMB", "PAUSE",
}  # fmt: skip
NAMES = {v: k for k, v in vars(iced_x86.CpuidFeature).items() if isinstance(v, int)}
# The decoder takes REP BSF for TZCNT and the SCC's own 0F 0A for nothing, unless set otherwise.
OPTIONS = (
    iced_x86.DecoderOptions.NO_MPFX_0FBC
    | iced_x86.DecoderOptions.NO_MPFX_0FBD
    | iced_x86.DecoderOptions.CL1INVMB
)
CXX = """
#include <iostream>
#include <map>
#include <string>
#include <vector>
#include <thread>
#include <cmath>
int main() {
  std::map<std::string, std::vector<double>> m;
  m["a"].push_back(std::pow(2.0, 0.5));
  try { m.at("b"); } catch (const std::exception &e) { std::cout << e.what() << m.size(); }
}
"""


def foreign_instructions(path: Path) -> list[str]:
    """The instructions of an ELF file's code that a Pentium does not have."""
    found = []
    with path.open("rb") as file:
        for section in ELFFile(file).iter_sections():
            if (
                not section["sh_flags"] & SH_FLAGS.SHF_EXECINSTR
                or section["sh_type"] == "SHT_NOBITS"
            ):
                continue
            decoder = iced_x86.Decoder(32, section.data(), OPTIONS, ip=section["sh_addr"])
            for instruction in decoder:
                names = {NAMES[f] for f in instruction.cpuid_features()}
                if not names <= PENTIUM or instruction.is_invalid:
                    found.append(f"{instruction.ip32:#x}: {instruction} {sorted(names)}")
    return found


def test_the_check_finds_what_it_looks_for(tmp_path: Path) -> None:
    (tmp_path / "new.s").write_text(
        ".globl _start\n_start: cmove %eax, %ecx\n addps %xmm0, %xmm1\n emms\n endbr32\n"
        " nopl (%eax)\n .byte 0xf3, 0x0f, 0xbc, 0xc1\n .byte 0x0f, 0x0a\n ret\n"
    )
    built = ready.rck("cc", "-nostdlib", "new.s", "-o", "new", cwd=tmp_path)
    assert built.returncode == 0, built.stderr
    assert len(foreign_instructions(tmp_path / "new")) == 5


@pytest.mark.parametrize("level", ["-O0", "-O2", "-O3"])
def test_programs(tmp_path: Path, level: str) -> None:
    (tmp_path / "p.cpp").write_text(CXX)
    ready.rck("cc", level, "p.cpp", "-o", "p", cwd=tmp_path, check=True)
    assert foreign_instructions(tmp_path / "p") == []


def test_every_function_of_the_c_library(tmp_path: Path) -> None:
    """All of libm, libc and RCCE, linked whether called or not."""
    library = GUEST / "sysroot" / "lib"
    archives = [library / name for name in ("libm.a", "libc.a", "librcce.a")]
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n")
    ready.rck(
        "cc",
        "p.c",
        "-o",
        "p",
        "-Wl,--whole-archive",
        *archives,
        "-Wl,--no-whole-archive",
        "-Wl,--allow-multiple-definition",
        "-Wl,--no-gc-sections",
        cwd=tmp_path,
        check=True,
    )
    assert foreign_instructions(tmp_path / "p") == []


def test_the_kernel() -> None:
    assert foreign_instructions(GUEST / "kernel.elf") == []
