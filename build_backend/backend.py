"""The hooks of PEP 517 and PEP 660: maturin's, with the guest built first."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import maturin

from . import guest

Settings = dict[str, Any] | None

PACKAGE = guest.ROOT / "python" / "rockcreek"
RUST_NEEDED = (1, 95)
# The lowest manylinux tag that the symbols of the engine allow; a host where none fits says so.
TAGGED = "--compatibility pypi"

prepare_metadata_for_build_wheel = maturin.prepare_metadata_for_build_wheel
prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel
build_sdist = maturin.build_sdist


def get_requires_for_build_wheel(settings: Settings = None) -> list[str]:
    """Nothing beyond pyproject.toml; but say early what is missing."""
    check_rust()
    return []


get_requires_for_build_editable = get_requires_for_build_wheel


def get_requires_for_build_sdist(settings: Settings = None) -> list[str]:
    """Nothing beyond pyproject.toml."""
    return []


def build_wheel(
    wheel_directory: str,
    config_settings: Settings = None,
    metadata_directory: str | None = None,
) -> str:
    """A wheel with engine, guest and chip descriptions, and with MPI if it has been built."""
    check_rust()
    settings = dict(config_settings or {})
    if "MATURIN_PEP517_ARGS" not in os.environ and not {"build-args", "maturin.build-args"} & set(
        settings
    ):
        settings["build-args"] = TAGGED
    say("the guest")
    build_guest()
    with packed_data():
        say("the engine (the first time some minutes)")
        name: str = maturin.build_wheel(wheel_directory, settings, metadata_directory)
    return name


def say(text: str) -> None:
    """A line of progress; pip shows it with `-v`."""
    print(f"wheel: {text}", file=sys.stderr, flush=True)


def build_editable(
    wheel_directory: str,
    config_settings: Settings = None,
    metadata_directory: str | None = None,
) -> str:
    """The engine and the guest in place, for work in a checkout."""
    check_rust()
    build_guest()
    name: str = maturin.build_editable(wheel_directory, config_settings, metadata_directory)
    return name


def build_guest() -> None:
    """The guest, into the package."""
    guest.Builder(PACKAGE / "_guest", guest.default_jobs()).build()


@contextmanager
def packed_data() -> Iterator[None]:
    """The chip descriptions, the studies, the guide, the bibliography and MPI inside the package
    while a wheel is made; in a checkout they are read where they are edited or built."""
    packed = {
        PACKAGE / "_machine" / "presets": guest.ROOT / "machine" / "presets",
        PACKAGE / "_experiments": guest.ROOT / "experiments",
        PACKAGE / "_guide" / "guide": guest.ROOT / "docs" / "guide",
        PACKAGE / "_guide" / "chip": guest.ROOT / "docs" / "chip",
    }
    for target in (PACKAGE / "_mpi", *packed):
        shutil.rmtree(target, ignore_errors=True)
    if (mpi := built_mpi()) is not None:
        packed[PACKAGE / "_mpi"] = mpi
    for target, source in packed.items():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(guest.ROOT / "docs" / "sources.bib", PACKAGE / "_machine" / "sources.bib")
    try:
        yield
    finally:
        for name in ("_machine", "_experiments", "_guide", "_mpi"):
            shutil.rmtree(PACKAGE / name, ignore_errors=True)


def built_mpi() -> Path | None:
    """What `make mpi` has installed, if it was built from today's sources, and a line about it."""
    mpi = importlib.import_module(f"{guest.TOOLCHAIN.__name__}.mpi")
    folder: Path = mpi.folder()
    if not mpi.there():
        say("without MPI: `make mpi` builds it, and the next wheel carries it")
    elif not mpi.usable():
        say(f"without MPI: {folder} was built from older sources: `make mpi` builds it again")
    elif not (folder / "licences").is_dir():
        say(f"without MPI: {folder} has no licences: `make mpi` adds them")
    else:
        say("with MPI")
        return folder
    return None


def check_rust() -> None:
    """Stop with one line if there is no Rust that can build the engine."""
    if shutil.which("cargo") is None:
        raise SystemExit("rockcreek: cargo is missing: install Rust 1.95+")
    text = subprocess.run(
        ["rustc", "--version"], capture_output=True, text=True, check=False
    ).stdout
    found = re.match(r"rustc (\d+)\.(\d+)", text)
    if found is None:
        raise SystemExit("rockcreek: rustc is missing: install Rust 1.95+")
    if (int(found[1]), int(found[2])) < RUST_NEEDED:
        raise SystemExit(f"rockcreek: {text.strip()} is too old: 1.95+ needed")


__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]
