"""The bare-metal library asks for no more than a small libc, and carries messages without a
kernel."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from build_backend import archive

import ready

ROOT = Path(__file__).resolve().parents[2]
LIB = ROOT / "python/rockcreek/_guest/sysroot/lib"
# malloc, printf, atoi, atof as of old, and what compilers call themselves.
LIBC = {"malloc", "calloc", "free", "printf", "puts", "putchar", "atoi", "atof"}
LIBC |= {"strcpy", "strlen", "memcpy", "memmove", "memset", "__udivdi3", "__divdi3"}


def test_bare_library_needs_a_small_libc_only() -> None:
    members = archive.read(LIB / "librcce_bare.a")
    defined = set[str]().union(*(member.defines() for member in members))
    wanted = set[str]().union(*(member.needs() for member in members))
    assert {"RCCE_init", "RCCE_send", "RCCE_iset_power", "RCCE_flag_write_bit"} <= defined
    assert wanted - defined <= LIBC


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    own, shared = ROOT / "tests/rcce/bare", ROOT / "experiments/bare"
    sources = [*(shared / name for name in ("start.S", "paging.c", "print.c"))]
    sources += [own / "libc.c", own / "message.c"]
    kernel = tmp_path_factory.mktemp("bare") / "message.elf"
    flags = ["-O2", "-Wall", "-Wextra", "-Werror", "-nostdlib", "-ffreestanding", "-DMS_BAREMETAL"]
    flags += [f"-I{shared}", "-T", str(own / "kernel.ld")]
    ready.rck("cc", *flags, *map(str, sources), "-lrcce_bare", "-o", str(kernel), check=True)
    return kernel


def boot(kernel: Path, cores: list[int], argument: str) -> subprocess.CompletedProcess[str]:
    words = ["prog", str(len(cores)), "0.533", *map(str, cores), argument]
    line = ["boot", "-q", "--timeout", "60s", "--cores", ",".join(map(str, cores))]
    line += ["--append", " ".join(words), str(kernel)]
    return ready.rck(*line)


def test_messages_without_an_operating_system(kernel: Path) -> None:
    cores = [5, 30, 47]
    run = boot(kernel, cores, "own")
    assert run.returncode == 0, run.stderr
    told = [f"[{core:02}] UE {ue} of 3, arguments own: 0 wrong, sum 3, misuse 1234324"
            for ue, core in enumerate(cores)]  # fmt: skip
    assert sorted(run.stdout.splitlines()) == sorted([*told, *(f"[{c:02}] done" for c in cores)])


def test_messages_that_nobody_sends_are_a_deadlock(kernel: Path) -> None:
    run = boot(kernel, [5, 30, 47], "?")
    assert run.returncode == 75
    assert "deadlock: nothing can ever change again at 100.000 ms" in run.stderr
    assert "cores 05,30,47 in rcce_signal_" in run.stderr
