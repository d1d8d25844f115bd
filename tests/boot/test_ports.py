"""`rck boot --ports`: kernels for PCs find a timer, a clock, and what a user's functions answer."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Boot = Callable[..., subprocess.CompletedProcess[str]]
Kernel = Callable[[str], Path]
FUNCTIONS = """
from __future__ import annotations
from dataclasses import dataclass

@dataclass
class Kept:
    value: int

kept = {}
def read(core, port, size, time_ps):
    return kept[core, port].value if port == 0x300 else None
def write(core, port, size, value, time_ps):
    kept[core, port] = Kept(value + 1)
    return port == 0x300
"""


def told_clock(text: str) -> int:
    assert text.endswith("\n")
    return int(text.split(" MHz", maxsplit=1)[0])


@pytest.mark.parametrize("mhz", [533, 200])
def test_a_kernel_finds_the_clock_of_its_core(boot: Boot, kernel: Kernel, mhz: int) -> None:
    told = boot(kernel("clocks"), "--cores", "0", "--ports", "pc", "--clocks", f"{mhz}/800/800")
    assert told.returncode == 0, told.stderr
    assert abs(told_clock(told.stdout) - mhz) <= 1
    assert told.stdout.endswith(" MHz, 2010-1, 8259, 8042, port 300: 255\n")


def test_the_ports_are_a_part_of_the_chip(boot: Boot, kernel: Kernel, tmp_path: Path) -> None:
    """A snapshot amid the measurement has them: the run goes on with the same end."""
    results = [tmp_path / f"{n}.json" for n in range(3)]
    start = (kernel("clocks"), "--cores", "0", "--ports", "pc")
    whole = boot(*start, "--json", results[0])
    again = boot(*start, "--json", results[1])
    boot(*start, "--until", "5ms", "--save", tmp_path / "s.rck")
    rest = boot("--restore", tmp_path / "s.rck", "--json", results[2])
    assert whole.stdout == again.stdout == rest.stdout != ""
    hashes = {json.loads(path.read_text())["state_hash"] for path in results}
    assert len(hashes) == 1


def test_functions_of_a_user_are_asked_first(boot: Boot, kernel: Kernel, tmp_path: Path) -> None:
    file = tmp_path / "ports.py"
    file.write_text(FUNCTIONS)
    both = ("--ports", "pc", "--ports", file)
    told = boot(kernel("clocks"), "--cores", "0,5", *both)
    assert told.returncode == 0, told.stderr
    for core in ("00", "05"):
        assert f"[{core}] 533 MHz, 2010-1, 8259, 8042, port 300: 42\n" in told.stdout
    assert "what they keep is not in the state hash" in told.stderr
    refused = boot(kernel("clocks"), *both, "--save", tmp_path / "s.rck")
    assert refused.returncode == 64
    assert "a snapshot has no state of the functions of" in refused.stderr
    assert not (tmp_path / "s.rck").exists()


@pytest.mark.parametrize(
    ("text", "words", "code"),
    [
        ("x = 1", "it has no function read or write", 65),
        ("def read(", "SyntaxError", 65),
        ("def read(*a):\n    return 1 // 0", "read of port 0x61 failed at line 2: ZeroDivi", 65),
        ("def read(*a):\n    return 'x'", "read of port 0x61 returned 'x', which is no number", 65),
        ("import sys\nsys.exit(3)", "SystemExit: 3", 65),
        ("def read(*a):\n    exit(3)", "read of port 0x61 failed at line 2: SystemExit: 3", 65),
        ("def read():\n    return 1", "read of port 0x61 failed: TypeError: read() takes 0", 65),
        (None, "No such file", 66),
    ],
)
def test_files_that_are_none(
    boot: Boot, kernel: Kernel, tmp_path: Path, text: str | None, words: str, code: int
) -> None:
    file = tmp_path / "ports.py"
    if text is not None:
        file.write_text(text)
    told = boot(kernel("clocks"), "--cores", "0", "--ports", "pc", "--ports", file)
    assert words in told.stderr
    assert told.returncode == code, told.stderr
