"""Libraries that set-up does not build hold sources of a system: whether it has the same today.

`make mpi` and `make tcpip` write a digest of those sources beside the library; a link compares it.
An old library with a newer kernel or launcher would misbehave without a word.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .paths import ToolchainError

STAMP = "sources.sha256"
SYSTEMS = Path(__file__).resolve().parents[3] / "systems"
EX_NOINPUT = 66


@dataclass(frozen=True)
class Sources:
    """What of a system is in such a library, and how it gets there."""

    system: str
    patterns: Sequence[str]
    target: str

    def digest(self) -> str:
        """The SHA-256 of the names and contents of all source files."""
        folder, found = SYSTEMS / self.system, hashlib.sha256()
        for path in sorted({path for word in self.patterns for path in folder.glob(word)}):
            found.update(f"{path.relative_to(folder)}\0".encode())
            found.update(hashlib.sha256(path.read_bytes()).digest())
        return found.hexdigest()

    def stale(self, library: Path) -> bool:
        """Whether a library was built from other sources; one without a checkout never is."""
        if not (SYSTEMS / self.system).is_dir():
            return False
        stamp = library.with_name(STAMP)
        return not stamp.is_file() or stamp.read_text(encoding="utf-8").strip() != self.digest()

    def check(self, library: Path) -> None:
        """Refuses a library that is there and stale."""
        if library.is_file() and self.stale(library):
            raise ToolchainError(
                f"{library} was not built from what systems/{self.system} is now",
                f"'make {self.target}' builds it again; only what has changed is compiled",
                code=EX_NOINPUT,
            )
