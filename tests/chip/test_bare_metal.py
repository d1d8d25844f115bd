"""Images without our kernel, for rules that a program in ring 3 cannot see."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import rockcreek

HERE = Path(__file__).resolve().parent
WORD = 0x0070_0000
NEW = 0x5CC5_CC5C


def assemble(source: str, folder: Path) -> bytes:
    """An image from an assembly file of this folder."""
    image = folder / "image.elf"
    command = [
        sys.executable, "-m", "rockcreek", "cc", "-nostdlib", "-static",
        f"-Wl,-T,{HERE / 'bare_metal.ld'}", str(HERE / source), "-o", str(image),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return image.read_bytes()


def word(data: bytes | None) -> int:
    assert data is not None
    return int.from_bytes(data, "little")


@pytest.mark.mutant("wbinvd-reaches-l2")
def test_wbinvd_stops_at_l2(tmp_path: Path) -> None:
    chip = rockcreek.Chip("scc")
    chip.load(0, assemble("wbinvd.S", tmp_path), "", [])
    chip.release([0])
    assert chip.step_until(ms=1) == "ended"
    end = chip.exits()[0]
    assert (end.reason, end.code) == ("exit", 0)
    assert end.eip == 0, "memory starts as zeros"
    assert end.address == NEW, "the core finds its line in L2"
    assert word(chip.read_linear(0, WORD, 4)) == NEW
    assert word(chip.read_physical(0, WORD, 4)) == 0, "WBINVD must not reach memory"
