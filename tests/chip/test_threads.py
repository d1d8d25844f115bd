"""Several host threads leave the same chip as one."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import rockcreek

ROOT = Path(__file__).resolve().parents[2]


def build(tmp_path: Path, source: str) -> Path:
    target = tmp_path / "program"
    rck = ROOT / ".venv/bin/rck"
    command = [rck, "cc", "-O2", ROOT / "tests" / source, "-lrcce", "-o", target]
    subprocess.run(command, check=True, capture_output=True)
    return target


@pytest.mark.parametrize(
    ("source", "n", "until_ps"),
    [
        ("chip/hot.c", 5, None),
        ("chip/hot.c", 48, 5_000_000_123),
        ("chip/rewrites.c", 6, None),
        ("rcce/barrier_storm.c", 8, None),
    ],
)
def test_threads_change_nothing(tmp_path: Path, source: str, n: int, until_ps: int | None) -> None:
    program = build(tmp_path, source)
    one, two, four = (
        rockcreek.run(program, n=n, until_ps=until_ps, threads=threads) for threads in (1, 2, 4)
    )
    assert one.end == ("exited" if until_ps is None else "until"), one.stderr
    for several in (two, four):
        assert several.time_ps == one.time_ps
        assert several.statistics == one.statistics
        assert several.state_hash == one.state_hash
        assert several.stdout == one.stdout
