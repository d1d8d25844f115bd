"""WBINVD stops at L1: what it writes back stays in L2, and memory stays as it was."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rockcreek import _native, description

FOLDER = Path(__file__).with_name("bare")
PLACE = 0x8007_0000
VALUE = 0x1234
COM1 = 0x3F8


@pytest.mark.mutant("wbinvd-reaches-l2")
def test_wbinvd_does_not_reach_l2(tmp_path: Path) -> None:
    image = tmp_path / "wbinvd.elf"
    command = [sys.executable, "-m", "rockcreek", "cc", "-nostdlib", "-T", str(FOLDER / "bare.ld")]
    subprocess.run([*command, str(FOLDER / "wbinvd.S"), "-o", str(image)], check=True)
    chip = _native.Chip(description.load("scc").text)
    chip.load(0, image.read_bytes(), "", [])
    chip.release([0])
    while chip.run(None, 50) == "slice":
        pass
    told = b"".join(data for _, _, port, data in chip.output() if port == COM1)
    assert told == b"y", "the core lost its own store"
    assert chip.read_physical(0, PLACE, 4) == b"\0\0\0\0", "WBINVD reached memory through L2"
    seen = chip.read_linear(0, PLACE, 4)
    assert seen is not None
    assert int.from_bytes(seen, "little") == VALUE
