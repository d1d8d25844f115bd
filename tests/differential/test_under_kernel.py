"""Random instructions end under our kernel, on the virtual chip, as on this processor.

The same cases run on a bare core in crates/differential; here caches, page faults, signals and the
kernel's own use of the x87 take part.
"""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# The first signal of this program is a page fault: its frame goes to a page never touched before.
CASES = ("--seed", "103", "--cases", "700")


def differential(command: str, file: Path) -> subprocess.CompletedProcess[str]:
    package = ("--quiet", "--locked", "--package", "rockcreek-differential")
    return subprocess.run(
        ["cargo", "run", *package, "--", command, *CASES, str(file)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64",
    reason="skipped: the host is not x86-64 Linux",
)
def test_cases_end_as_on_the_host(tmp_path: Path) -> None:
    program = tmp_path / "cases"
    written = differential("write", program)
    assert written.returncode == 0, written.stderr
    run = subprocess.run(
        [sys.executable, "-m", "rockcreek", "run", str(program)], capture_output=True, check=False
    )
    assert run.returncode == 0, run.stderr
    output = tmp_path / "output"
    output.write_bytes(run.stdout)
    checked = differential("check", output)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert " 0 different" in checked.stdout
