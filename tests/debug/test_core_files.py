"""Core files: of a crashed program, from a snapshot, of a kernel; read by pyelftools and gdb."""

from __future__ import annotations

import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

import ready
from rockcreek.software.image import load_program

GDB = shutil.which("gdb")
PROGRAM = """
#include <stdlib.h>

struct pair { int a; double b; } pair = { 7, 2.5 };
volatile double third;

static int fall(int n, int *where)
{
    if (n == 0) {
        third = pair.b / 3;
        return *where = 1;
    }
    return fall(n - 1, where) + 1;
}

int main(int argc, char **argv)
{
    while (argc == 1)
        ;
    return atoi(argv[1]) ? fall(2, (int *)0x10) : 0;
}
"""
SIGSEGV = 11
# Words of NT_PRSTATUS: the signal, the thread, the registers.
SIGNAL, THREAD, EAX, EIP, CS, ESP = 3, 6, 24, 30, 31, 33


def rck(*arguments: object, code: int = 0) -> str:
    done = ready.rck(*arguments)
    assert done.returncode == code, done.stderr
    return done.stderr


class CoreFile:
    """What pyelftools finds in one."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            elf = ELFFile(file)
            assert (elf["e_type"], elf["e_machine"]) == ("ET_CORE", "EM_386")
            self.notes: dict[str, bytes] = {}
            self.memory: list[tuple[int, bytes]] = []
            for segment in elf.iter_segments():
                if segment["p_type"] == "PT_NOTE":
                    file.seek(segment["p_offset"])
                    self._read_notes(file.read(segment["p_filesz"]))
                elif segment["p_filesz"] < 1 << 24:
                    self.memory.append((segment["p_vaddr"], segment.data()))
        self.status = struct.unpack("<36I", self.notes["NT_PRSTATUS"])

    def _read_notes(self, data: bytes) -> None:
        names = {1: "NT_PRSTATUS", 2: "NT_FPREGSET", 3: "NT_PRPSINFO"}
        at = 0
        while at < len(data):
            name, size, kind = struct.unpack_from("<3I", data, at)
            assert data[at + 12 : at + 12 + name] == b"CORE\0"
            at += 12 + (name + 3 & ~3)
            self.notes[names[kind]] = data[at : at + size]
            at += size + 3 & ~3

    def read(self, address: int, length: int) -> bytes:
        for start, data in self.memory:
            if start <= address and address + length <= start + len(data):
                return data[address - start :][:length]
        raise AssertionError(f"{address:#x} is not in the file")


def gdb(*arguments: object) -> str:
    words = [str(GDB), "-nx", "-batch", *map(str, arguments)]
    done = subprocess.run(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False
    )
    return done.stdout


@pytest.fixture
def crash(guest, tmp_path: Path) -> tuple[Path, Path]:
    """A program whose core 1 crashed, and the folder of its core files."""
    program = guest(PROGRAM, ["-g", "-O0"])
    folder = tmp_path / "cores"
    told = rck("run", "-q", "--cores", "1,4", "--core-dump", folder, program, 1, code=76)
    assert f"gdb {program} {folder}/core.01" in told
    rck("run", "-q", "--core-dump", folder, program, 1, code=74)
    return program, folder


def test_core_file_of_a_crash(crash: tuple[Path, Path]) -> None:
    program, folder = crash
    assert sorted(path.name for path in folder.iterdir()) == ["core.01", "core.04"]
    core = CoreFile(folder / "core.04")
    symbols = load_program(program).symbols
    assert (core.status[SIGNAL], core.status[THREAD]) == (SIGSEGV, 5)
    assert 0 < core.status[EIP] - symbols["fall"] < 64
    assert core.status[CS] & 3 == 3 and core.status[EAX] == 0x10
    assert struct.unpack("<i", core.read(symbols["pair"], 4)) == (7,)
    third = struct.unpack("<d", core.read(symbols["third"], 8))
    assert third == (2.5 / 3,)
    core.read(core.status[ESP], 64)
    # ST(0) before it was popped: FSAVE keeps registers that are empty.
    control, _status, tags = struct.unpack_from("<3I", core.notes["NT_FPREGSET"])
    assert (control & 0xFFFF, tags & 0xFFFF) == (0x37F, 0xFFFF)
    assert core.notes["NT_PRPSINFO"][28:].startswith(b"prog\0")
    assert b"prog 1\0" in core.notes["NT_PRPSINFO"]


@pytest.mark.skipif(GDB is None, reason="gdb is not installed")
def test_gdb_opens_a_core_file(crash: tuple[Path, Path]) -> None:
    program, folder = crash
    look = ["-ex", "backtrace", "-ex", "print pair", "-ex", "print third", "-ex", "info threads"]
    out = gdb(*look, program, folder / "core.01")
    assert "terminated with signal SIGSEGV" in out, out
    assert "#2 " in out and "in fall (n=2, where=0x10)" in out and "in main (argc=2" in out, out
    assert "{a = 7, b = 2.5}" in out and "0.8333333333333333" in out and "LWP 2" in out, out


def test_a_run_that_ends_well_leaves_no_core_file(guest, tmp_path: Path) -> None:
    program = guest(PROGRAM, ["-g", "-O0"])
    folder = tmp_path / "cores"
    rck("run", "-q", "--core-dump", folder, program, 0)
    assert list(folder.iterdir()) == []
    # What has not ended yet has a file.
    rck("run", "-q", "--core-dump", folder, "--until", "3ms", program)
    assert [path.name for path in folder.iterdir()] == ["core.00"]


def test_core_files_from_a_snapshot(guest, tmp_path: Path) -> None:
    program = guest(PROGRAM, ["-g", "-O0"])
    saved, output = tmp_path / "s.rck", tmp_path / "core"
    rck("run", "-q", "--cores", 9, "--until", "3ms", "--save", saved, program)
    told = rck("dump", saved, "--core", 9, "--output", output)
    assert f"gdb {program} {output}" in told
    core = CoreFile(output)
    symbols = load_program(program).symbols
    assert 0 < core.status[EIP] - symbols["main"] < 64
    assert (core.status[SIGNAL], core.status[THREAD]) == (0, 10)
    assert min(start for start, _ in core.memory) == 0x8048000
    assert "exists already" in rck("dump", saved, "--core", 9, "--output", output, code=74)
    # The core as it is: its kernel's pages as well.
    rck("dump", saved, "--core", 9, "--kernel", "--output", output, "--force")
    kernel = CoreFile(output)
    assert len(kernel.memory) > len(core.memory)
    assert "core 0 runs nothing" in rck("dump", saved, "--output", tmp_path / "x", code=64)


def test_core_file_of_a_kernel_without_paging(tmp_path: Path) -> None:
    """The core goes round in real mode until it is stopped; what it wrote is in the file."""
    reset, code = tmp_path / "reset.bin", tmp_path / "code.bin"
    reset.write_bytes(bytes.fromhex("ea00000010").ljust(16, b"\0"))
    # mov ax, 5000h; mov ds, ax; mov word [10h], 4711; lidt [8000h] (all zeros); jmp to itself
    code.write_bytes(bytes.fromhex("b80050 8ed8 c70610006712 0f011e0080 ebfe"))
    load = ["--load", f"{reset}@0xFFFFFFF0", "--load", f"{code}@0x10000", "--cores", 2]
    folder = tmp_path / "cores"
    rck("boot", "-q", *load, "--until", "1ms", "--core-dump", folder, code=0)
    core = CoreFile(folder / "core.02")
    assert (core.status[EIP], core.status[CS], core.status[EAX]) == (0x1_0010, 0x1000, 0x5000)
    assert core.read(0x50010, 2) == b"\x67\x12"
