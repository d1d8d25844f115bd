"""50,000 messages: nothing lost, doubled or damaged, no deadlock."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import stress  # noqa: E402 (beside this file)


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
    match = re.fullmatch(r"(\d+) messages over (\d+) pairs, 0 wrong or left\n", result.stdout)
    assert match is not None, result.stdout
    assert int(match[1]) >= messages


SEED = next(seed for seed in range(100) if len(stress.options(seed)["cores"]) == 2)


def test_the_long_storm_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs, page = tmp_path / "runs.jsonl", tmp_path / "storm.md"
    line = ["stress.py", "--seed", str(SEED), "--messages", "60", "--out", str(runs)]
    for _ in range(2):
        monkeypatch.setattr(sys, "argv", line)
        assert stress.main() == 0
        (record,) = stress.records([runs])
        assert (record["seed"], record["messages"], record["pairs"]) == (SEED, 60, 2)
    monkeypatch.setattr(sys, "argv", [*line, "--report", str(page)])
    assert stress.main() == 0
    assert (
        page.read_text().startswith("# The storm") and "| 2 | 1 | 60 | 2 of 2 |" in page.read_text()
    )


def test_a_storm_that_loses_something_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stress, "TOLD", re.compile("another text"))
    line = ["stress.py", "--seed", str(SEED), "--messages", "12", "--out", str(tmp_path / "runs")]
    monkeypatch.setattr(sys, "argv", line)
    assert stress.main() == 1
    assert not list(stress.records([tmp_path / "runs"]))
