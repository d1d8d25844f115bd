"""50,000 messages: nothing lost, doubled or damaged, no deadlock."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("cores", "messages", "seed", "options", "vary"),
    [
        ("0,1,10,25,47", 31_000, 1, (), ()),
        ("41,3,17,0,30,22,8,13", 18_000, 2, ("--jitter", "7"), ("vary",)),
        ("", 1_152, 3, ("-n", "48"), ()),
    ],
)
def test_storm(
    compile_guest: Callable[..., Path],
    run_guest: Callable[..., subprocess.CompletedProcess[str]],
    cores: str,
    messages: int,
    seed: int,
    options: tuple[str, ...],
    vary: tuple[str, ...],
) -> None:
    program = compile_guest(HERE / "storm.c", ["-O2", "-lircce", "-lrcce"])
    place = ("--cores", cores) if cores else ()
    result = run_guest(
        program, str(messages), str(seed), *vary, options=["-q", "--tag", "none", *place, *options]
    )
    assert result.returncode == 0, result.stderr
    match = re.fullmatch(r"(\d+) messages, 0 wrong or left\n", result.stdout)
    assert match is not None, result.stdout
    assert int(match[1]) >= messages
