"""`rck run` as a process of its own, under limits of its host."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True)
class Run:
    """What a run has printed, its exit code, and its result if there is one."""

    code: int
    stdout: str
    stderr: str
    result: dict[str, Any]


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Run]:
    """`run(program, "-n", "2", limit=call)`: with `call` made in the new process first."""

    def start(
        program: Path,
        *options: str,
        limit: Callable[[], None] | None = None,
        args: tuple[str, ...] = (),
    ) -> Run:
        path = tmp_path / "result.json"
        path.unlink(missing_ok=True)
        command = [sys.executable, "-m", "rockcreek", "run", "--timeout", "120s", *options]
        command += ["--json", str(path), str(program), *args]
        done = subprocess.run(
            command, capture_output=True, preexec_fn=limit, timeout=300, check=False
        )
        result = json.loads(path.read_text()) if path.exists() else {}
        out, err = (text.decode(errors="surrogateescape") for text in (done.stdout, done.stderr))
        return Run(done.returncode, out, err, result)

    return start
