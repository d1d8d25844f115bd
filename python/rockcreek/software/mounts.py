"""Folders that the guests see besides the shared one: each at a name of its own in /, read only."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from rockcreek.errors import NotFoundError, UsageError

# ROOTS of guest/kernel/files/share.h, without the shared folder's.
MOST = 15
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
# What the kernel has at names of its own.
_TAKEN = ("dev", "proc")


def parse(texts: Iterable[str]) -> dict[str, str]:
    """The folder of each name, from `DIR=/NAME`.

    >>> parse(["build/install/usr=/usr"])
    {'usr': 'build/install/usr'}
    """
    found: dict[str, str] = {}
    for text in texts:
        folder, _, name = text.rpartition("=/")
        if not folder or not _NAME.fullmatch(name):
            raise UsageError(
                f"--mount {text}: not of the form DIR=/NAME",
                hint="for example --mount build/lib=/lib: guests see the folder as /lib",
            )
        if name in found:
            raise UsageError(f"--mount {text}: /{name} is another folder already")
        found[name] = folder
    return found


def checked(mounts: Mapping[str, str | Path]) -> list[list[str]]:
    """Name and absolute path of each, in the order in which they are shared."""
    if len(mounts) > MOST:
        raise UsageError(f"--mount: {len(mounts)} folders", hint=f"{MOST} at most")
    for name, folder in mounts.items():
        if name in _TAKEN:
            raise UsageError(
                f"--mount {folder}=/{name}: /{name} is the kernel's", hint="choose another name"
            )
        if not Path(folder).is_dir():
            what = "is not a folder" if Path(folder).exists() else "No such file or directory"
            raise NotFoundError(
                f"--mount {folder}=/{name}: {what}",
                path=str(folder),
                hint=f"name an existing folder; the guests see it as /{name}",
            )
    return [[name, os.fspath(Path(folder).absolute())] for name, folder in mounts.items()]
