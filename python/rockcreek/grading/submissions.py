"""What a folder of submissions holds: a folder each, or a file of C or C++ each.

Only regular files count, of bounded size and number: links, devices and pipes could lead anywhere.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rockcreek.errors import InputError, NotFoundError
from rockcreek.outputs import write_whole

SOURCES = (".c", ".cc", ".cpp", ".cxx")
_TAKEN = (*SOURCES, ".h", ".hh", ".hpp", ".inc")
_MOST_FILES, _MOST_BYTES = 200, 1 << 20


@dataclass(frozen=True)
class Submission:
    """The sources of one of them, in memory."""

    name: str
    files: dict[str, bytes] = field(default_factory=dict)
    problem: str = ""  # why it cannot be graded

    @property
    def sources(self) -> list[str]:
        return sorted(name for name in self.files if name.endswith(SOURCES))

    @property
    def sha256(self) -> str:
        digest = hashlib.sha256()
        for name, data in sorted(self.files.items()):
            digest.update(f"{name}\0{len(data)}\0".encode(errors="surrogateescape") + data)
        return digest.hexdigest()

    def copy_to(self, folder: Path) -> None:
        """Files of these contents, with names that are no options."""
        for name, data in self.files.items():
            write_whole(folder / name, data)


def read(folder: str | Path) -> list[Submission]:
    """All submissions, by name."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise NotFoundError(f"{folder}: {error.strerror}", path=str(folder)) from error
    found = []
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            found.append(_read(entry.name, os.scandir(entry.path)))
        elif entry.name.endswith(SOURCES):
            found.append(_read(entry.name, iter([entry])))
    if not found:
        raise InputError(
            f"{folder}: holds no submissions",
            path=str(folder),
            hint="expected a folder for each, or a file of C or C++ each",
        )
    return found


def _read(name: str, entries: Iterator[os.DirEntry[str]]) -> Submission:
    files: dict[str, bytes] = {}
    for entry in entries:
        if not entry.name.endswith(_TAKEN) or entry.name.startswith("."):
            continue
        data = _bytes(entry.path)
        if data is None:
            return Submission(name, {}, f"{entry.name} is no plain file of at most 1 MiB")
        files[entry.name] = data
        if len(files) > _MOST_FILES:
            return Submission(name, {}, f"more than {_MOST_FILES} files")
    found = Submission(name, files)
    return found if found.sources else Submission(name, {}, "no file of C or C++")


def _bytes(path: str) -> bytes | None:
    """The contents of a plain file of at most 1 MiB; None for anything else."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        data = file.read(_MOST_BYTES + 1)
    return data if len(data) <= _MOST_BYTES else None
