"""Packages that are built by their own scripts: `rck cc` under the names that makefiles use."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from programs import BUILD
from rockcreek.toolchain.paths import package_sysroot


class BuildError(Exception):
    """A package's own build failed."""


def sysroot_key() -> str:
    """Changes with the libraries that programs are linked with."""
    return (package_sysroot() / "stamp").read_text().strip()[:16]


def tools() -> Path:
    """A folder with gcc, cc, ar and ranlib that are rck's."""
    folder = BUILD / "tools"
    folder.mkdir(parents=True, exist_ok=True)
    rck = shutil.which("rck") or str(Path(sys.executable).with_name("rck"))
    # As in builder.py: the host shall not forbid what an i586 cannot.
    linked = '"$@" -z nognustack'
    commands = {"gcc": f"cc {linked}", "cc": f"cc {linked}", "ar": 'ar "$@"'}
    for name, words in {**commands, "ranlib": 'ranlib "$@"'}.items():
        path = folder / name
        path.write_text(f'#!/bin/sh\nexec "{rck}" {words}\n')
        path.chmod(0o755)
    return folder


def run(command: str, folder: Path) -> None:
    """One command of a package's build."""
    path = f"{tools()}:{os.environ.get('PATH', '')}"
    done = subprocess.run(
        ["sh", "-c", command], cwd=folder, env={**os.environ, "PATH": path},
        capture_output=True, text=True, check=False, errors="replace",
    )  # fmt: skip
    if done.returncode != 0:
        raise BuildError(f"{command}: {done.stderr[-2000:]}")


def prepare(folder: Path, commands: list[str]) -> None:
    """Build a package, unless it was built so with these libraries."""
    stamp = folder / ".built"
    wanted = repr((commands, sysroot_key()))
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    print(f"conformance: building {folder.name}", file=sys.stderr, flush=True)
    for command in commands:
        run(command, folder)
    stamp.write_text(wanted)
