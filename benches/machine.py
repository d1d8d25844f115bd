"""Where and when it was measured."""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


def processor() -> str:
    """The processor's name as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    for line in lines:
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def commit() -> str:
    """The commit, with a plus sign if there are changes besides."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(ROOT), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no")
    return git("rev-parse", "--short", "HEAD") + ("+" if changed else "")


def describe() -> dict[str, Any]:
    """What a number needs beside it."""
    from rockcreek import _native

    load = os.getloadavg() if hasattr(os, "getloadavg") else ()
    return {
        "processor": processor(),
        "processors": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": platform.python_version(),
        "load": [round(value, 2) for value in load],
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "commit": commit(),
        "engine": _native.BUILD,
    }
