"""No test is left out without its name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from skipped import lines

ROOT = Path(__file__).resolve().parents[2]
TWO = """
import pytest


@pytest.mark.parametrize("cores", [1, 48])
@pytest.mark.skipif(True, reason="needs the library: make mpi")
def test_left_out(cores: int) -> None:
    raise AssertionError
"""


def test_each_is_named_under_its_reason() -> None:
    told = lines([("a.py::x", "Skipped: no net"), ("b.py::y", "no net"), ("a.py::z", "slow host")])
    assert told == [
        "2 not run: no net",
        "  a.py: x",
        "  b.py: y",
        "1 not run: slow host",
        "  a.py: z",
    ]


def test_a_run_ends_with_them(tmp_path: Path) -> None:
    (tmp_path / "test_two.py").write_text(TWO)
    command = [sys.executable, "-m", "pytest", "-q", "-c", "pyproject.toml", "-p", "conftest"]
    said = subprocess.run(
        [*command, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert "2 not run: needs the library: make mpi" in said
    assert "test_two.py: test_left_out[1], test_left_out[48]" in said
