"""The examples do what their READMEs say."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

Compile = Callable[..., Path]
Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_hello(compile_guest: Compile, run_guest: Run) -> None:
    program = compile_guest(EXAMPLES / "hello" / "hello.c", ["-lrcce"])
    result = run_guest(program, options=["-n", "4"])
    assert result.returncode == 0, result.stderr
    expected = {f"[{n:02d}] Hello from UE {n} of 4" for n in range(4)}
    assert set(result.stdout.splitlines()) == expected
    readme = (EXAMPLES / "hello" / "README.md").read_text()
    assert all(line in readme for line in expected)


def test_hello_on_all_cores(compile_guest: Compile, run_guest: Run) -> None:
    program = compile_guest(EXAMPLES / "hello" / "hello.c", ["-lrcce"])
    result = run_guest(program, options=["-n", "48"])
    assert result.returncode == 0, result.stderr
    expected = {f"[{n:02d}] Hello from UE {n} of 48" for n in range(48)}
    assert set(result.stdout.splitlines()) == expected


def test_ring(compile_guest: Compile, run_guest: Run) -> None:
    program = compile_guest(EXAMPLES / "ring" / "ring.c", ["-lrcce"])
    result = run_guest(program, options=["-n", "48"])
    assert result.returncode == 0, result.stderr
    assert result.stdout == "[00] sum of the ranks of 48 UEs: 1128\n"
    assert result.stdout in (EXAMPLES / "ring" / "README.md").read_text()
    assert re.search(r"once around in \d+\.\d microseconds", result.stderr)


def test_pingpong(compile_guest: Compile, run_guest: Run) -> None:
    program = compile_guest(EXAMPLES / "pingpong" / "pingpong.c", ["-lrcce"])
    result = run_guest(program, options=["--cores", "0,47"])
    assert result.returncode == 0, result.stderr
    times = [float(match[1]) for match in re.finditer(r"bytes:\s+(\d+\.\d+) us", result.stdout)]
    assert len(times) == 8
    assert times == sorted(times)
    assert run_guest(program, options=["-n", "3"]).returncode == 1
