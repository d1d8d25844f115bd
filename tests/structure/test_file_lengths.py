"""No file is longer than one reads at once; `long_files.toml` has exceptions, which only shrink."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path, PurePath

from guest_programs import ROOT

MOST_LINES = {".rs": 400, ".py": 400, ".c": 300, ".h": 300, ".S": 300}
# Generated, and as long as their tables.
GENERATED = {"guest/include/scc/registers.h", "python/rockcreek/_native.pyi"}
LONG = tomllib.loads((Path(__file__).parent / "long_files.toml").read_text())["files"]


def lengths() -> dict[str, int]:
    listing = subprocess.run(
        ["git", "ls-files", *(f"*{suffix}" for suffix in MOST_LINES)],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return {
        path: len((ROOT / path).read_text(encoding="utf-8", errors="replace").splitlines())
        for path in listing.stdout.splitlines()
        if path not in GENERATED and (ROOT / path).is_file()
    }


def test_files_fit() -> None:
    too_long = [
        f"{path}: {lines} lines of {most}"
        for path, lines in lengths().items()
        if lines > (most := LONG.get(path, [MOST_LINES[PurePath(path).suffix]])[0])
    ]
    assert not too_long, "split these, or say why not in long_files.toml:\n" + "\n".join(too_long)


def test_exceptions_are_still_needed() -> None:
    now = lengths()
    loose = [
        f"{path}: {now.get(path)} lines, {most} allowed"
        for path, (most, _) in LONG.items()
        if not MOST_LINES[PurePath(path).suffix] < now.get(path, 0) >= most - 20
    ]
    assert not loose, "lower or remove these:\n" + "\n".join(loose)
