"""The planner built for this host, once for each text of its sources: for tests that plan much."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PLANNER = ROOT / "systems" / "planner"
CACHE = ROOT / "out" / "planner"
_ROOMS = (
    ".", "pddl", "ground", "state", "hadd", "relaxed", "lookahead", "search", "share", "idle",
    "answer",
)  # fmt: skip


def compiler() -> list[str]:
    """This host's, or the one that builds the guest (which compiles a library of its own first)."""
    found = shutil.which("c++")
    return [found] if found else [sys.executable, "-m", "ziglang", "c++"]


def build(main: Path, *flags: str) -> Path:
    """The planner's sources, but for those of the chip, with this main function."""
    sources = [path for room in _ROOMS for path in sorted((PLANNER / room).glob("*.cpp"))]
    line = [*compiler(), "-std=c++17", "-O1", f"-I{PLANNER}", *flags]
    shared = hashlib.sha256(" ".join(line).encode())
    for header in sorted(PLANNER.rglob("*.h")):
        shared.update(header.read_bytes())

    def compile_one(source: Path) -> Path:
        digest = shared.copy()
        digest.update(source.read_bytes())
        target = CACHE / f"{source.stem}-{digest.hexdigest()[:16]}.o"
        if not target.is_file():
            _make([*line, "-c", str(source)], target)
        return target

    CACHE.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(2) as pool:
        objects = list(pool.map(compile_one, [*sources, main]))
    digest = hashlib.sha256("".join(path.name for path in objects).encode())
    program = CACHE / f"{main.stem}-{digest.hexdigest()[:16]}"
    if not program.is_file():
        _make([*line, *map(str, objects)], program)
    return program


def _make(command: list[str], target: Path) -> None:
    """Run a compiler; the target is there whole or not at all."""
    scratch = target.with_suffix(f".{os.getpid()}")
    subprocess.run([*command, "-o", str(scratch)], check=True)
    scratch.replace(target)


def alone(*flags: str) -> Path:
    """The sequential planner."""
    return build(PLANNER / "programs" / "alone.cpp", *flags)


def run(
    program: Path, *words: str | Path, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """One run of it."""
    command = [str(program), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False, timeout=60)
