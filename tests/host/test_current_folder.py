"""The current folder goes while `rck` starts or runs: results that lie elsewhere are kept."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from guest_programs import ROOT, compile_program


def rck(gone: Path, *words: str) -> subprocess.CompletedProcess[str]:
    gone.mkdir()
    remove = 'rmdir "$PWD" && exec "$@"'
    command = [sys.executable, "-m", "rockcreek", *words]
    return subprocess.run(
        ["sh", "-c", remove, "sh", *command], cwd=gone, capture_output=True, text=True, check=False
    )


@pytest.fixture
def program() -> Path:
    return compile_program(ROOT / "examples/hello/hello.c", ["-O1", "-lrcce"])


def test_a_result_is_kept(program: Path, tmp_path: Path) -> None:
    result = tmp_path / "r.json"
    done = rck(tmp_path / "gone", "run", "-q", "--json", str(result), str(program))
    assert done.returncode == 0, done.stderr
    assert json.loads(result.read_text())["host"]["directory"] == ""


def test_what_lies_in_it_says_so(program: Path, tmp_path: Path) -> None:
    done = rck(tmp_path / "gone", "run", "-q", "--share", ".", str(program))
    assert done.returncode == 74, done.stderr
    assert done.stderr == "rck: the current folder is gone\nhint: go to one that exists\n"


@pytest.mark.parametrize("words", [("--share", ""), ("--mount", "=/x")])
def test_an_empty_name_is_no_folder(program: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    done = rck(tmp_path / "gone", "run", "-q", *words, str(program))
    assert done.returncode in (64, 66) and words[0] in done.stderr, done.stderr
