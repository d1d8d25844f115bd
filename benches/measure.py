"""One process, measured as a whole: processor time, wall time, memory, output.

Processor time (user and system) is what the ratios are made of: another process on the same host
disturbs it less than wall time.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Sample:
    """One process from its start to its end."""

    user_s: float
    system_s: float
    wall_s: float
    memory_bytes: int
    exit_code: int
    stdout: str
    stderr: str

    @property
    def cpu_s(self) -> float:
        return self.user_s + self.system_s

    def to_dict(self) -> dict[str, float | int]:
        return {
            "user_s": round(self.user_s, 4),
            "system_s": round(self.system_s, 4),
            "wall_s": round(self.wall_s, 4),
            "memory_bytes": self.memory_bytes,
        }


def run(command: Sequence[str], folder: Path | None = None) -> Sample:
    """Run it to its end, in that folder if one is given; nothing is read while it runs."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        begin = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=folder
        )
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            process.wait()
            raise
        wall_s = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode(errors="replace"))
    return Sample(
        user_s=usage.ru_utime,
        system_s=usage.ru_stime,
        wall_s=wall_s,
        memory_bytes=usage.ru_maxrss * (1 if os.uname().sysname == "Darwin" else 1024),
        exit_code=process.returncode,
        stdout=texts[0],
        stderr=texts[1],
    )
