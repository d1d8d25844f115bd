"""Runs scripts with the Ruby that `make ruby` builds, for tests."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from rockcreek.interpreters import ruby

PROGRAMS = Path(__file__).resolve().parents[1] / "programs"
NEEDS_RUBY = [
    pytest.mark.skipif(
        not (ruby.folder() / "usr/bin/ruby").is_file(),
        reason="needs Ruby, which `make ruby` builds",
    ),
    pytest.mark.slow,
]


def rck(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rockcreek", *words]
    ran = subprocess.run(
        command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, timeout=900
    )
    # A guest's stderr is a terminal: Ruby writes in bold there.
    ran.stderr = re.sub(r"\x1b\[[0-9;]*m", "", ran.stderr)
    return ran


def run(tmp_path: Path, text: str, *options: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "script.rb").write_text(text)
    return rck("ruby", "-q", *options, str(tmp_path / "script.rb"))
