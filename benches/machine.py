"""Where and when it was measured."""

from __future__ import annotations

import datetime
import os
import platform
from pathlib import Path
from typing import Any

from rockcreek.repro.checkout import commit

ROOT = Path(__file__).parent.parent


def processor() -> str:
    """The processor's name as the operating system reports it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    for line in lines:
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


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
        "commit": commit(ROOT),
        "engine": _native.BUILD,
    }
