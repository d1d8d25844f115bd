"""Snapshots of booted chips, which `rck linux` keeps beside the images.

Each is whole or not there (`outputs.Output`), and has its checksum in it. Its name is a digest of
the images, the cores, their options and rck's version. A development version whose snapshots have
another format cannot read it: `--fresh` boots anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from rockcreek import __version__
from rockcreek.linux import images
from rockcreek.linux.images import Images


def folder() -> Path:
    return images.folder() / "snapshots"


def path(found: Images, cores: Sequence[int], words: Sequence[str]) -> Path:
    """The path of the snapshot of these cores, whether it exists or not."""
    parts = [__version__, found.digest, ",".join(map(str, cores)), *words]
    name = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    return folder() / f"{len(cores)}-cores-{name}.rck"


def clean() -> tuple[int, int]:
    """Removes all of them; how many there were, and their bytes."""
    count = size = 0
    for file in sorted(folder().glob("*.rck")):
        size += file.stat().st_size
        file.unlink()
        count += 1
    return count, size
