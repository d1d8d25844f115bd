"""The hooks of PEP 517 and PEP 660: maturin's, with the guest built first."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import maturin

from . import guest

Settings = dict[str, Any] | None

PACKAGE = guest.ROOT / "python" / "rockcreek"
RUST_NEEDED = (1, 95)

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
    """A wheel with engine, guest and chip descriptions."""
    check_rust()
    build_guest()
    with packed_data():
        name: str = maturin.build_wheel(wheel_directory, config_settings, metadata_directory)
    return name


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
    """The chip descriptions, the studies, the guide and the bibliography inside the package while
    a wheel is made; in a checkout they are read where they are edited."""
    packed = {
        PACKAGE / "_machine" / "presets": guest.ROOT / "machine" / "presets",
        PACKAGE / "_experiments": guest.ROOT / "experiments",
        PACKAGE / "_guide" / "guide": guest.ROOT / "docs" / "guide",
        PACKAGE / "_guide" / "chip": guest.ROOT / "docs" / "chip",
    }
    for target, source in packed.items():
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(guest.ROOT / "docs" / "sources.bib", PACKAGE / "_machine" / "sources.bib")
    try:
        yield
    finally:
        for target in (PACKAGE / "_machine", PACKAGE / "_experiments", PACKAGE / "_guide"):
            shutil.rmtree(target)


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
