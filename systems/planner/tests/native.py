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
_ROOMS = ".", "pddl", "ground", "state", "hadd", "relaxed", "lookahead", "search", "share", "idle"


def compiler() -> list[str]:
    """This host's, or the one that builds the guest (which compiles a library of its own first)."""
    found = shutil.which("c++")
    return [found] if found else [sys.executable, "-m", "ziglang", "c++"]


def build(main: Path, *flags: str) -> Path:
    """The planner's sources, but for those of the chip, with this main function."""
    sources = [
        path for room in (*_ROOMS, "answer") for path in sorted((PLANNER / room).glob("*.cpp"))
    ]
    headers = sorted(PLANNER.rglob("*.h"))
    digest = hashlib.sha256(" ".join([*compiler(), *flags]).encode())
    for path in (*sources, *headers, main):
        digest.update(path.read_bytes())
    program = CACHE / f"{main.stem}-{digest.hexdigest()[:16]}"
    if program.is_file():
        return program
    scratch = CACHE / f"{program.name}.{os.getpid()}"
    scratch.mkdir(parents=True)
    line = [*compiler(), "-std=c++17", "-O1", f"-I{PLANNER}", *flags]

    def compile_one(source: Path) -> str:
        target = scratch / f"{source.parent.name}-{source.stem}.o"
        subprocess.run([*line, "-c", str(source), "-o", str(target)], check=True)
        return str(target)

    with ThreadPoolExecutor(2) as pool:
        objects = list(pool.map(compile_one, [*sources, main]))
    subprocess.run([*line, *objects, "-o", str(scratch / "program")], check=True)
    (scratch / "program").replace(program)
    shutil.rmtree(scratch)
    return program


def alone(*flags: str) -> Path:
    """The sequential planner."""
    return build(PLANNER / "programs" / "alone.cpp", *flags)


def run(
    program: Path, *words: str | Path, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """One run of it."""
    command = [str(program), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False, timeout=60)
