"""A study that is reproduced on a failing host."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from failures.failing import RCK, Case

_STUDY = "mailbox"
_WORDS = ("repro", "--quick", "-q", "--out", "o", _STUDY)


def _nothing(folder: Path) -> None:
    del folder


def _results(folder: Path) -> list[Path]:
    return list(folder.glob(f"o/{_STUDY}/{_STUDY}-quick.json"))


def _study_goes_on(folder: Path, code: int) -> list[str]:
    """On a host that is well again the study ends, and what was kept is not run again."""
    wrong = []
    for path in folder.rglob("*.json"):
        try:
            json.loads(path.read_bytes())
        except ValueError:
            wrong.append(f"{path.name} is torn")
    if code == 0 and not _results(folder):
        wrong.append("no result, exit code 0")
    kept = {path: path.stat().st_mtime_ns for path in folder.glob("o/**/runs/*.json")}
    again = subprocess.run([*RCK, *_WORDS], cwd=folder, capture_output=True, text=True, check=False)
    if again.returncode or not _results(folder):
        wrong.append(f"does not go on: {again.stderr[-400:]}")
    changed = [path.name for path, made in kept.items() if path.stat().st_mtime_ns != made]
    if changed:
        wrong.append(f"run again: {changed}")
    return wrong


def repro() -> Case:
    return Case("repro", _WORDS, _nothing, _study_goes_on)
