"""The checkout that a measurement was made in."""

from __future__ import annotations

import subprocess
from pathlib import Path

# All files of a checkout but those that `rck repro --report` writes after each study.
SOURCES = (":(top)", ":(top,exclude)docs", ":(top,exclude,glob)**/measured.json")


def commit(folder: Path, *paths: str) -> str:
    """The commit of the checkout that holds this folder, with a `+` if files differ from it (of
    these paths in the folder, if any are named); `unknown` outside of a checkout.
    """

    def git(*arguments: str) -> str:
        line = ["git", "-C", str(folder), *arguments]
        return subprocess.run(line, capture_output=True, text=True, check=True).stdout.strip()

    try:
        head = git("rev-parse", "--short=12", "HEAD")
        changed = git("status", "--porcelain", "--untracked-files=no", "--", *paths)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{head}+" if changed else head
