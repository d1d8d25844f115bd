"""Running one command of the tool chain, or showing it."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from .arguments import CommandLine
from .paths import ToolchainError

# Clang names itself by this word in what it says of its options.
CALLED = "rck cc"


def execute(command: list[str], line: CommandLine) -> int:
    """Run one command, or show it; its exit code, as a shell says it."""
    return run(command, line).returncode


def run(
    command: list[str],
    line: CommandLine,
    *,
    capture: bool = False,
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run one command, or show it, with variables more; keep what it says, if asked to."""
    if line.show or line.verbose:
        stream = sys.stdout if line.show else sys.stderr
        print(shlex.join(command), file=stream, flush=True)
    if line.show:
        return subprocess.CompletedProcess(command, 0, "", "")
    try:
        ran = subprocess.run(
            [CALLED, *command[1:]] if command[1] == "clang" else command,
            executable=command[0], env={**os.environ, **(environment or {})}, check=False,
            capture_output=capture, text=True, errors="replace",
        )  # fmt: skip
    except OSError as error:
        raise ToolchainError(f"cannot run {command[0]}: {error}") from error
    if ran.returncode < 0:
        name = signal.Signals(-ran.returncode).name
        print(f"rck: {Path(command[0]).name} {command[1]} was ended by {name}", file=sys.stderr)
    # A compiler that dies by a signal: 128 + signal, as a shell says it.
    ran.returncode = ran.returncode if ran.returncode >= 0 else 128 - ran.returncode
    return ran
