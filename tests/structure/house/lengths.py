"""No file is longer than one reads at once; `long_files.toml` has exceptions, which only shrink."""

from __future__ import annotations

import tomllib
from pathlib import Path, PurePosixPath

from house.files import PYTHON, RUST, C, House

MOST_LINES = dict.fromkeys((*RUST, *PYTHON), 400) | dict.fromkeys(C, 300)
# An exception that has room for so many lines more is lowered.
SLACK_LINES = 20
LONG = tomllib.loads((Path(__file__).parents[1] / "long_files.toml").read_text())["files"]


def too_long(house: House) -> list[str]:
    """Files that are longer than their kind, or than their exception allows."""
    return [
        f"{path}: {lines} lines of {most}"
        for path in house.code()
        if (lines := _lines(house, path)) > (most := LONG.get(path, [_most(path)])[0])
    ]


def loose(house: House) -> list[str]:
    """Exceptions that are not needed any more, or not so large."""
    return [
        f"{path}: {most} lines allowed"
        for path, (most, _) in LONG.items()
        if path not in house.paths or not _most(path) < _lines(house, path) >= most - SLACK_LINES
    ]


def _most(path: str) -> int:
    return MOST_LINES[PurePosixPath(path).suffix]


def _lines(house: House, path: str) -> int:
    return len(house.text(path).splitlines())
