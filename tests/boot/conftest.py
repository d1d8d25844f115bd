"""Small kernels and images, compiled once a session, and `rck boot` in a process of its own."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import ready
from reset_image import assemble

FOLDER = Path(__file__).with_name("kernels")
BARE = Path(__file__).parents[2] / "experiments" / "bare"
TIMEOUT_S = 120


def compile_kernel(script: Path, sources: list[Path], target: Path) -> Path:
    flags = ["-nostdlib", "-ffreestanding", "-O1", "-T", str(script)]
    paths = [str(source) for source in sources]
    built = ready.rck("cc", *flags, *paths, "-o", target)
    assert built.returncode == 0, built.stderr
    return target


@pytest.fixture(scope="session")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The multiboot kernel of this name: `kernel("hello")`."""
    folder = tmp_path_factory.mktemp("kernels")

    def build(name: str) -> Path:
        target = folder / f"{name}.elf"
        if not target.exists():
            sources = [BARE / "start.S", FOLDER / "lint0.S", FOLDER / f"{name}.c"]
            compile_kernel(BARE / "kernel.ld", sources, target)
        return target

    return build


@pytest.fixture(scope="session")
def reset_image(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """reset.S as the 64 KB that end at the top of memory."""
    return assemble(FOLDER / "reset.S", tmp_path_factory.mktemp("raw"))


@pytest.fixture(scope="session")
def boot() -> Callable[..., subprocess.CompletedProcess[str]]:
    """`rck boot` with these arguments."""

    def call(*arguments: object, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return ready.rck("boot", "-q", "--timeout", "60s", *map(str, arguments), input=stdin)

    return call
