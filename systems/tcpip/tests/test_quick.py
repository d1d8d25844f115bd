"""The stack at its smallest; only where `make tcpip` was run. `test_stack.py` has the rest."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rockcreek.toolchain import stack

SYSTEM = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.skipif(not stack.there(), reason="needs lwIP, which `make tcpip` builds")


def ran(source: str, cores: int, folder: Path, *arguments: str) -> str:
    rck, program = [sys.executable, "-m", "rockcreek"], str(folder / "program")
    made = [*rck, "cc", "-O2", "-Wall", "-Wextra", str(SYSTEM / source), "-llwip", "-ltcpip"]
    subprocess.run([*made, "-o", program], check=True)
    run = [
        *rck,
        "run",
        "-q",
        "-n",
        str(cores),
        "--until",
        "20s",
        "--timeout",
        "60s",
        "--tag",
        "none",
    ]
    run += ["--check", "coherence", program, *arguments]
    said = subprocess.run(run, capture_output=True, text=True, check=False)
    assert said.returncode == 0 and said.stderr == "rck: check: no findings\n", said.stderr
    return said.stdout


def test_echo(tmp_path: Path) -> None:
    said = ran("programs/echo.c", 3, tmp_path)
    assert all(f"hello from 192.168.4.{rank + 1}\n" in said for rank in (1, 2))


def test_a_small_storm_is_whole(tmp_path: Path) -> None:
    said = ran("programs/storm.c", 3, tmp_path, "2000", "5")
    assert "bytes from 2 cores: all right" in said
