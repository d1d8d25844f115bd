"""The real Linux that `make linux` has built, for tests that boot it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parent


def env_of(place: Path) -> dict[str, str]:
    """With the snapshots of these tests."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return {**os.environ, "RCK_LINUX": str(place / "kept"), "PATH": path}


def rck(place: Path, *words: str, patience_s: int = 900) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rockcreek", *words]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        env=env_of(place),
        cwd=place,
        timeout=patience_s,
    )


def result(place: Path, *words: str) -> dict[str, Any]:
    rck(place, "linux", "run", "--json", "r.json", "--force", "-q", *words)
    found: dict[str, Any] = json.loads((place / "r.json").read_text())
    return found


def wait_for(terminal: int, *texts: bytes) -> bytes:
    """What is written up to the last of these."""
    seen, at = b"", 0
    for text in texts:
        while seen.find(text, at) < 0:
            seen += os.read(terminal, 1024)
        at = seen.find(text, at) + len(text)
    return seen


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
