"""Hot code made host code leaves the same chip as interpreting it."""

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
        ("chip/hot.c", 1, None),
        ("chip/hot.c", 3, 5_000_000_123),
        ("rcce/barrier_storm.c", 8, None),
        ("rcce/all_to_all.c", 4, None),  # its messages are counted by probes
        ("chip/waits.c", 4, None),
    ],
)
def test_translating_changes_nothing(
    tmp_path: Path, source: str, n: int, until_ps: int | None
) -> None:
    program = build(tmp_path, source)
    translated, interpreted = (
        rockcreek.run(program, n=n, until_ps=until_ps, translate=translate)
        for translate in (True, False)
    )
    assert translated.end == ("exited" if until_ps is None else "until"), translated.stderr
    assert translated.time_ps == interpreted.time_ps
    assert translated.statistics == interpreted.statistics
    assert translated.state_hash == interpreted.state_hash
    assert translated.stdout == interpreted.stdout
