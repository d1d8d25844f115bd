"""The test ROM (guest/testrom) gives the trace that follows from the Pentium manual."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rockcreek import resources

EXPECTED = Path(__file__).with_name("testrom.expected").read_text()


@pytest.mark.parametrize("core", [0, 47])
def test_the_rom_gives_the_expected_trace(
    boot: Callable[..., subprocess.CompletedProcess[str]], core: int
) -> None:
    rom = resources.GUEST / "testrom.bin"
    told = boot("--load", f"{rom}@0xFFFF0000", "--cores", core)
    assert told.stdout.splitlines() == EXPECTED.splitlines()
    # Its last act is a triple fault, which resets the core.
    assert told.returncode == 0, told.stderr
    assert f"core {core:02} " in told.stderr
    assert "reset by a triple fault, the last one vector 11" in told.stderr
