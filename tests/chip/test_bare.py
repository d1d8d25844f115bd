"""Rules of the chip that only ring 0 sees, by programs without a kernel."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rockcreek import _native, description

FOLDER = Path(__file__).with_name("bare")
COM1 = 0x3F8


def run_bare(source: str, folder: Path) -> tuple[_native.Chip, bytes]:
    """Run a bare program on core 0 until nothing can happen any more: the chip, what it wrote."""
    image = folder / "bare.elf"
    command = [sys.executable, "-m", "rockcreek", "cc", "-nostdlib", "-T", str(FOLDER / "bare.ld")]
    subprocess.run([*command, str(FOLDER / source), "-o", str(image)], check=True)
    chip = _native.Chip(description.load("scc").text)
    chip.load(0, image.read_bytes(), "", [])
    chip.release([0])
    while chip.run(None, 50) == "slice":
        pass
    return chip, b"".join(data for _, _, port, data in chip.output() if port == COM1)


@pytest.mark.mutant("wbinvd-reaches-l2")
def test_wbinvd_does_not_reach_l2(tmp_path: Path) -> None:
    """What WBINVD writes back stays in L2, and memory stays as it was."""
    place, value = 0x8007_0000, 0x1234
    chip, told = run_bare("wbinvd.S", tmp_path)
    assert told == b"y", "the core lost its own store"
    assert chip.read_physical(0, place, 4) == b"\0\0\0\0", "WBINVD reached memory through L2"
    seen = chip.read_linear(0, place, 4)
    assert seen is not None
    assert int.from_bytes(seen, "little") == value


@pytest.mark.mutant("interrupt-lost")
def test_pins_in_glcfg_interrupt_the_core(tmp_path: Path) -> None:
    """INTR, then NMI, each raised by a store to GLCFG0, wake a core from HLT."""
    _, told = run_bare("interrupt.S", tmp_path)
    assert told == b"in"
