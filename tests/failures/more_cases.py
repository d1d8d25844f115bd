"""Further commands on a failing host: a study that is reproduced, and allocations."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from failures.failing import RCK, Case

_STUDY = "mailbox"
_WORDS = ("repro", "--quick", "-q", "--out", "o", _STUDY)


def _nothing(folder: Path) -> None:
    del folder


def _study_goes_on(folder: Path, code: int) -> list[str]:
    """On a host that is well again the study ends, and what was kept is not run again."""
    result = folder / f"o/{_STUDY}/{_STUDY}.json"
    wrong = []
    for path in folder.rglob("*.json"):
        try:
            json.loads(path.read_bytes())
        except ValueError:
            wrong.append(f"{path.name} is torn")
    if code == 0 and not result.is_file():
        wrong.append("no result, exit code 0")
    kept = {path: path.stat().st_mtime_ns for path in folder.glob(f"o/{_STUDY}/runs/*.json")}
    again = subprocess.run([*RCK, *_WORDS], cwd=folder, capture_output=True, text=True, check=False)
    if again.returncode or not result.is_file():
        wrong.append(f"does not go on: {again.stderr[-400:]}")
    changed = [path.name for path, made in kept.items() if path.stat().st_mtime_ns != made]
    if changed:
        wrong.append(f"run again: {changed}")
    return wrong


def repro() -> Case:
    return Case("repro", _WORDS, _nothing, _study_goes_on)


def ends_in_words(code: int, err: str) -> list[str]:
    """What is wrong with the end of a command whose host has too little memory."""
    wrong = []
    if "Traceback" in err or "this is a bug" in err:
        wrong.append(f"traceback: {err[-900:]}")
    if code and not re.search(r"^rck( \\w+)?: ", err, re.MULTILINE):
        wrong.append(f"exit code {code}, no message: {err[-300:]!r}")
    return wrong
