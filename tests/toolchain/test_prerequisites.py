"""Set-up says in one line what a machine lacks."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GOOD = {
    "git": "",
    "make": "",
    "cc": "",
    "cargo": "",
    "rustc": "echo rustc 1.95.0",
    "python3": 'case "$2" in *version_info*) echo 3.12;; esac',
}


def run(tmp_path: Path, **changes: str | None) -> subprocess.CompletedProcess[str]:
    """The script on a machine with these commands and no others."""
    for name, text in {**GOOD, **changes}.items():
        if text is not None:
            (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
            (tmp_path / name).chmod(0o755)
    (tmp_path / "cut").symlink_to("/usr/bin/cut")
    return subprocess.run(
        ["/bin/sh", ROOT / "scripts/prerequisites.sh"],
        env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_a_machine_with_everything(tmp_path: Path) -> None:
    ran = run(tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "python3\n", "")


def test_a_newer_python_beside_an_old_one_is_taken(tmp_path: Path) -> None:
    old = 'case "$2" in *version_info*) echo 3.9;; esac'
    ran = run(tmp_path, **{"python3": old, "python3.13": GOOD["python3"].replace("12", "13")})
    assert (ran.returncode, ran.stdout) == (0, "python3.13\n")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"git": None}, "git is missing"),
        ({"cc": None}, "no C compiler"),
        ({"rustc": None}, "rustc is missing: Rust 1.95 or newer"),
        ({"rustc": "echo 'rustc 1.94.1 (abc 2026-01-01)'"}, "rustc 1.94.1 is too old: Rust 1.95"),
        ({"rustc": "echo rustc 0.99.0"}, "too old"),
        ({"cargo": None}, "cargo is missing"),
        ({"python3": "echo 3.10"}, "Python 3.11 or newer is needed (found: python3 3.10)"),
        ({"python3": None}, "Python 3.11 or newer is needed (found: none)"),
        ({"python3": 'case "$2" in *version_info*) echo 3.12;; *) exit 1;; esac'}, "venv"),
    ],
)
def test_what_is_missing_is_said_in_one_line(
    tmp_path: Path, changes: dict[str, str | None], words: str
) -> None:
    ran = run(tmp_path, **changes)
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert ran.stderr.startswith("rockcreek: ") and words in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_help_lists_every_target_with_a_text() -> None:
    ran = subprocess.run(
        ["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    targets = {line.split()[0] for line in ran.stdout.splitlines()}
    assert {"setup", "demo", "test", "check", "mutants", "fresh", "clean", "help"} <= targets
    assert all(len(line.split()) > 2 for line in ran.stdout.splitlines())
