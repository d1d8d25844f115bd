"""What the tests of the microkernel share: images of its own kind, and a boot."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import ready
from rockcreek import resources

SYSTEM = Path(__file__).parents[1]
KERNEL = resources.GUEST / "l4/kernel.elf"
FLAGS = [
    *("-nostdlib", "-ffreestanding", "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror"),
    *("-fno-stack-protector", "-fno-asynchronous-unwind-tables", "-fno-builtin"),
    *("-I", str(SYSTEM), "-I", str(SYSTEM / "include"), "-T", str(SYSTEM / "lib/program.ld")),
]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A server, or a root task, of this system, compiled once: `server("tests/ipc.c")`."""
    folder = tmp_path_factory.mktemp("servers")

    def build(source: str) -> Path:
        target = folder / f"{Path(source).stem}.elf"
        if not target.exists():
            sources = [SYSTEM / "lib/start.S", SYSTEM / source, *(SYSTEM / "lib").glob("*.c")]
            ready.rck("cc", *FLAGS, *map(str, sources), "-o", str(target), check=True)
        return target

    return build


@pytest.fixture(scope="session")
def boot() -> Callable[..., subprocess.CompletedProcess[str]]:
    """`boot(modules..., cores="0", append="", chip="scc")`: how `rck boot` of the kernel ends."""

    def booted(
        *modules: str | Path, cores: str = "0", append: str = "", chip: str = "scc"
    ) -> subprocess.CompletedProcess[str]:
        given = [part for module in modules for part in ("--module", str(module))]
        options = ["-q", "--timeout", "60s", "--chip", chip, "--cores", cores, "--append", append]
        return ready.rck("boot", *options, str(KERNEL), *given)

    return booted
