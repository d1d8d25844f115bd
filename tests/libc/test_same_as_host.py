"""An ordinary C program prints the same on the virtual chip and on the host."""

from __future__ import annotations

import platform
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_name("ordinary.c")
HOST_CC = shutil.which("cc")


@pytest.mark.skipif(
    platform.machine() != "x86_64" or HOST_CC is None,
    reason="needs a host compiler whose long double is that of the x87",
)
def test_same_as_host(
    tmp_path: Path,
    compile_guest: Callable[..., Path],
    run_guest: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    host = tmp_path / "on-host"
    subprocess.run([str(HOST_CC), "-O1", str(SOURCE), "-o", str(host), "-lm"], check=True)
    told = subprocess.run(
        [str(host), "scratch.txt"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    shared = tmp_path / "shared"
    shared.mkdir()
    program = compile_guest(SOURCE, ["-lm"])
    result = run_guest(program, "scratch.txt", options=["--share", str(shared)])
    assert result.returncode == 0, result.stderr
    assert result.stdout == told.stdout
    assert list(shared.iterdir()) == []
