"""Rounds of waiting that the engine passes leave the same chip as executing them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import rockcreek

ROOT = Path(__file__).resolve().parents[2]


def build(tmp_path: Path, source: str) -> Path:
    target = tmp_path / "program"
    rck = ROOT / ".venv/bin/rck"
    command = [rck, "cc", ROOT / "tests" / source, "-lrcce", "-o", target]
    subprocess.run(command, check=True, capture_output=True)
    return target


@pytest.mark.parametrize(
    ("source", "n", "arguments", "jitter"),
    [
        ("rcce/barrier_storm.c", 8, (), None),
        ("rcce/locks.c", 6, (), 3),
        ("chip/waits.c", 4, (), None),
        ("chip/waits.c", 48, (), 9),
    ],
)
def test_skipping_changes_nothing(
    tmp_path: Path, source: str, n: int, arguments: tuple[str, ...], jitter: int | None
) -> None:
    program = build(tmp_path, source)
    skipped, executed = (
        rockcreek.run(program, arguments, n=n, jitter=jitter, skip=skip) for skip in (True, False)
    )
    assert skipped.end == "exited", skipped.stderr
    assert skipped.time_ps == executed.time_ps
    assert skipped.statistics == executed.statistics
    assert skipped.state_hash == executed.state_hash
    assert skipped.stdout == executed.stdout


def test_a_stopped_chip_does_not_depend_on_skipping(tmp_path: Path) -> None:
    program = build(tmp_path, "chip/waits.c")
    ends = set()
    for skip in (True, False):
        result = rockcreek.run(program, n=5, until_ps=1_400_000_123, skip=skip)
        ends.add((result.end, result.state_hash, str(result.statistics)))
    assert len(ends) == 1
