"""`make wheel`: ``python -m build_backend.wheel FOLDER`` makes the wheel, with progress."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from . import backend


def main(folder: Path) -> None:
    """The wheel into a folder, and its name and size."""
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(backend.guest.ROOT)
    path = folder / backend.build_wheel(str(folder))
    backend.say(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
