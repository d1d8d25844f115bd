"""Start-up: `rck --version` at once, and `rck run` without plotting or cluster libraries."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import rockcreek

ROOT = Path(__file__).resolve().parents[2]
HEAVY = (
    "matplotlib",
    "numpy",
    "pandas",
    "dask",
    "distributed",
    "rich",
    "logging",
    "rockcreek.formats",
)


def test_version_is_the_engines() -> None:
    manifest = (ROOT / "Cargo.toml").read_text()
    match = re.search(r'^version = "(.*)"', manifest, re.MULTILINE)
    assert match is not None and match[1] == rockcreek.__version__


def processor_s() -> float:
    """What the processes that have ended took, however busy the host was."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_version_answers_at_once() -> None:
    took = []
    for _ in range(5):
        start = processor_s()
        out = subprocess.run(
            [sys.executable, "-m", "rockcreek", "--version"],
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        took.append(processor_s() - start)
    assert out == f"rck {rockcreek.__version__}\n"
    assert min(took) < 0.2


def test_run_imports_nothing_heavy() -> None:
    code = (
        "import sys, rockcreek.cli.app, rockcreek.cli.commands.run;"
        "import rockcreek.running.run_job, rockcreek.results.summary;"
        f"print([m for m in {HEAVY!r} if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout == "[]\n"


@pytest.mark.parametrize(
    ("closed", "code", "words"),
    [("<&-", 0, ""), ("2>&-", 0, ""), (">&-", 74, "Bad file descriptor"), ("<&- >&- 2>&-", 74, "")],
)
def test_closed_standard_streams(closed: str, code: int, words: str) -> None:
    command = f'"{sys.executable}" -c "from rockcreek.cli import run; run()" info {closed}'
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == code, done
    assert words in done.stderr and "Traceback" not in done.stderr + done.stdout
