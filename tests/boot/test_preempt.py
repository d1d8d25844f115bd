"""The small preemptive kernel (guest/preempt) and its programs, on one core and on several."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from rockcreek import resources

Boot = Callable[..., subprocess.CompletedProcess[str]]
EXPECTED = Path(__file__).with_name("preempt.expected").read_text().splitlines()
PROGRAMS = ("init", "turns", "share", "signals", "pipes", "floats")
FOLDER = resources.GUEST / "preempt"


def start(boot: Boot, cores: str) -> list[str]:
    modules = [part for name in PROGRAMS for part in ("--module", FOLDER / f"{name}.elf")]
    told = boot(FOLDER / "kernel.elf", *modules, "--cores", cores)
    # Its last act is to halt with interrupts off while the timer ticks on.
    assert told.returncode == 0, told.stderr
    return told.stdout.splitlines()


def test_the_programs_run_on_one_core(boot: Boot) -> None:
    assert start(boot, "0") == EXPECTED


def test_the_programs_run_on_several_cores(boot: Boot) -> None:
    lines = start(boot, "1,26,47")
    for core in ("01", "26", "47"):
        own = [line.removeprefix(f"[{core}] ") for line in lines if line.startswith(f"[{core}]")]
        assert own == EXPECTED
