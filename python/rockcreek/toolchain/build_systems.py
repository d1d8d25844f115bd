"""What CMake, Meson and pkg-config read: files in `projects/`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

EX_NOINPUT = 66
PROJECTS = Path(__file__).resolve().parent / "projects"
CMAKE = PROJECTS / "rockcreek.cmake"
MESON = PROJECTS / "rockcreek.ini"
NAMES = ("pkg-config", "pkgconf")


def pkg_config_main(arguments: Sequence[str]) -> int:
    """The host's pkg-config over the chip's libraries, and those of PKG_CONFIG_PATH."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        print("rck pkg-config: error: there is no pkg-config on this machine", file=sys.stderr)
        print("hint: apt install pkgconf, or name the libraries: -lrcce", file=sys.stderr)
        return EX_NOINPUT
    environment = {**os.environ, "PKG_CONFIG_LIBDIR": str(PROJECTS / "pkgconfig")}
    return subprocess.run([found, *arguments], env=environment, check=False).returncode
