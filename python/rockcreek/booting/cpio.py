"""An initial file system of Linux: a cpio archive of the kind `newc`, the same bytes every time."""

from __future__ import annotations

import stat
from dataclasses import dataclass

DIRECTORY, PROGRAM, TEXT = stat.S_IFDIR | 0o755, stat.S_IFREG | 0o755, stat.S_IFREG | 0o644
LINK, DEVICE = stat.S_IFLNK | 0o777, stat.S_IFCHR | 0o600


@dataclass(frozen=True)
class Entry:
    """One file; a link's content is its target. All belong to root."""

    name: str
    mode: int
    content: bytes = b""
    device: tuple[int, int] = (0, 0)


def archive(entries: list[Entry]) -> bytes:
    """The entries in this order: folders before what is in them."""
    written = bytearray()
    for number, entry in enumerate([*entries, Entry("TRAILER!!!", 0)]):
        name = entry.name.encode() + b"\0"
        fields = [number, entry.mode, 0, 0, 1, 0, len(entry.content), 0, 0, *entry.device]
        fields += [len(name), 0]
        written += b"070701" + "".join(f"{field:08x}" for field in fields).encode() + name
        written += bytes(-len(written) % 4) + entry.content
        written += bytes(-len(written) % 4)
    return bytes(written)
