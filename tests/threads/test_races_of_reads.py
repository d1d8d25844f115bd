"""No program of systems/crf/programs has a race, of reads or of writes.

`--threads-model uncached` is where the checker sees each access. A program that has a race, and its
mended twin: racy_read.c and racy_read_mended.c of systems/crf/tests.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import ready
from guest_programs import SYSTEMS

PROGRAMS = (
    ("fft", "4 8"),
    ("lu", "contiguous 4 64"),
    ("lu", "rows 4 64"),
    ("ocean", "4 16 1"),
    ("radix", "4 2048"),
    ("random", "4 1 3"),
    ("sharing", "false 4 20"),
    ("sharing", "none 4 20"),
    ("sharing", "local 4 20"),
    ("sharing", "lock 4 5"),
    ("mandelbrot", "16"),
    ("costs", "2"),
)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "arguments"), PROGRAMS)
def test_silence(guest: Callable[..., Path], name: str, arguments: str) -> None:
    system, threads = ("openmp", "-fopenmp") if name == "mandelbrot" else ("crf", "-pthread")
    folder = SYSTEMS / system / "programs"
    program = guest((folder / f"{name}.c").read_text(), ["-O2", threads, f"-I{folder}"])
    options = ["-n", "4", "--threads-model", "uncached", "--check", "races"]
    ended = ready.rck("run", "-q", *options, str(program), *arguments.split())
    assert ended.returncode == 0
    assert "no findings" in ended.stderr
