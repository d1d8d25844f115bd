"""Lines of sources, for pages and stories that may be passed on: from files beneath the current
folder, or one that the user names. What a result names lies anywhere: a program's debug lines may
name any file of the host."""

from __future__ import annotations

import linecache
import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path

# As much of each line.
_LONGEST = 160
_LARGEST_BYTES = 1 << 22
_SUFFIXES = frozenset(
    ".c .h .cc .cpp .cxx .c++ .hh .hpp .hxx .ipp .tcc .inc .inl .def .s .asm .f .f90".split()
)
# Sources of the guest's libraries, as their debug information names them.
OURS = re.compile(r"\./(guest|systems)/|.*/_guest/sysroot/")


class Sources:
    """The source files that may be read: those below these folders, links resolved."""

    def __init__(self, folders: Sequence[str | Path]) -> None:
        self._folders = [Path(os.path.realpath(folder)) for folder in folders]

    def line(self, file: str | None, number: int | None) -> str:
        """The line of this number, if the file is one of these."""
        # Of a document that nobody has held against its schema they may be anything.
        if not isinstance(file, str) or not isinstance(number, int) or not os.path.isabs(file):
            return ""
        try:
            path = Path(os.path.realpath(file))
            if not self._are_mine(path):
                return ""
            return linecache.getline(str(path), number).strip()[:_LONGEST]
        except (OSError, ValueError):
            return ""

    def _are_mine(self, path: Path) -> bool:
        folder = next((one for one in self._folders if path.is_relative_to(one)), None)
        if folder is None or path.suffix.lower() not in _SUFFIXES:
            return False
        if any(part.startswith(".") for part in path.relative_to(folder).parts):
            return False
        found = path.stat()
        return stat.S_ISREG(found.st_mode) and found.st_size <= _LARGEST_BYTES
