"""Debian's Linux for the chip: fetched, changed, configured, built and stored.

`make linux`, `make smp-linux` and `make bare-metal` share this; each has its own folder, settings
and replacements in Linux's text. A settings file lists what differs from `make tinyconfig`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scripts.foreign import NICE, StepError, run

from rockcreek.toolchain import built

TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
PACKAGE: dict[str, Any] = TABLE["package"]
BUILD = TABLE["build"]
# Headers that are this project's and become parts of a kernel may be used under either licence
# (NOTICE).
EITHER = "/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */\n"


def check_tools() -> None:
    """Raises `StepError` with what this host lacks."""
    missing = [tool for tool in BUILD["needs"] if shutil.which(tool) is None]
    if missing:
        install = f"Debian: apt-get install {' '.join(missing)}"
        raise StepError(f"building Linux needs {', '.join(missing)} on this host ({install})")


def change(source: Path, entries: Iterable[Mapping[str, str]]) -> None:
    """The replacements of a description; each one says why it is there."""
    for entry in entries:
        replace(source, entry["file"], entry["old"], entry["new"])


def replace(source: Path, name: str, old: str, new: str) -> None:
    """One replacement in Linux's text; what is replaced already stays."""
    path = source / name
    text = path.read_text(encoding="utf-8")
    if new in text and (old in new or old not in text):
        return
    if text.count(old) != 1:
        raise StepError(f"{path}: {old!r} is not there once")
    path.write_text(text.replace(old, new), encoding="utf-8")


def configure(source: Path, settings: str, log: Path) -> None:
    """The settings on top of the smallest configuration; all of them must be taken."""
    make = ["make", "-C", str(source), *BUILD["make"]]
    stamp = source / ".settings"
    if stamp.is_file() and stamp.read_text() == settings:
        return
    run([*make, "tinyconfig"], source, log)
    config = source / ".config"
    config.write_text(config.read_text() + settings)
    run([*make, "olddefconfig"], source, log)
    check_settings(config.read_text(), settings)
    stamp.write_text(settings)


def check_settings(config: str, settings: str) -> None:
    """Linux drops a setting silently when something that it needs is missing."""
    taken = set(config.splitlines())
    names = {line.partition("=")[0] for line in taken}
    for line in settings.splitlines():
        is_off = line.startswith("# CONFIG_")
        refused = line.startswith("CONFIG_") and not line.endswith("=n") and line not in taken
        if refused or (is_off and line.split()[1] in names):
            raise StepError(f"Linux does not take the setting: {line}")


def build(
    source: Path,
    log: Path,
    jobs: int,
    words: Sequence[str] = (),
) -> Path:
    """The kernel's image; `words` are for make. Goes on where it was stopped."""
    make = ["make", "-C", str(source), *BUILD["make"], *words, f"-j{jobs}", "bzImage"]
    run([*NICE, *make], source, log)
    return source / str(BUILD["image"])


def store(images: Path, files: dict[str, bytes], digest: str) -> None:
    """The images, what they were made of, and last the list of their checksums: without it there
    are none."""
    listing = images / "sha256"
    listing.unlink(missing_ok=True)
    lines = []
    for name, data in files.items():
        scratch = images / f"{name}.{os.getpid()}"
        scratch.write_bytes(data)
        scratch.replace(images / name)
        lines.append(f"{hashlib.sha256(data).hexdigest()}  {name}\n")
    (images / built.STAMP).write_text(f"{digest}\n", encoding="utf-8")
    listing.write_text("".join(lines))
