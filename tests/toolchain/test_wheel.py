"""`pip install .` alone makes the whole wheel: engine, kernel, sysroot and chip descriptions."""

from __future__ import annotations

import fcntl
import io
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection

from rockcreek.toolchain import mpi

ROOT = Path(__file__).resolve().parents[2]
HELLO = '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n'


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as pip builds it, with the build packages that .venv has already.

    One for all workers of a test run: two builds at a time would share the checkout.
    """
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    folder = tmp_path_factory.getbasetemp().parent / f"wheel-{run}"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not list(folder.glob("*.whl")):
            build(folder)
    (path,) = folder.glob("rockcreek-*.whl")
    return path


def build(folder: Path) -> None:
    scripts = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{scripts}:{os.environ['PATH']}"}
    flags = ["--no-build-isolation", "--no-deps", "--wheel-dir", str(folder)]
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", *flags, str(ROOT)],
        env=environment, check=True,
    )  # fmt: skip


def test_it_holds_everything_once(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert len(names) == len(set(names))
    for name in (
        "rockcreek/_native.abi3.so",
        "rockcreek/_guest/kernel.elf",
        "rockcreek/_guest/sysroot/lib/libm.a",
        "rockcreek/_guest/sysroot/lib/librcce.a",
        "rockcreek/_guest/sysroot/include/RCCE.h",
        "rockcreek/_machine/presets/scc.toml",
        "rockcreek/_experiments/pingpong/study.toml",
        "rockcreek/_machine/sources.bib",
        "rockcreek/_guide/guide/start.md",
        "rockcreek/_guest/examples/stencil",
        "rockcreek/_guest/examples/stencil.c",
        "rockcreek/py.typed",
    ):
        assert name in names, name
    assert not [n for n in names if n.endswith((".pyc", ".rs")) or "__pycache__" in n]
    assert "-cp311-abi3-" in wheel.name
    # With MPI if `make mpi` has built it, and then with its licences.
    for name in ("lib/libmpi.a", "include/mpi.h", "licences/mpich.txt", "licences/json-c.txt"):
        assert (f"rockcreek/_mpi/{name}" in names) == mpi.usable(), name
    # In a checkout, descriptions and studies are read where they are edited.
    for folder in ("_machine", "_experiments", "_guide", "_mpi"):
        assert not (ROOT / "python/rockcreek" / folder).exists()


def test_its_tag_is_what_its_symbols_allow(wheel: Path) -> None:
    found = re.search(r"-manylinux_2_(\d+)_x86_64", wheel.name)
    assert found is not None, wheel.name
    archive = zipfile.ZipFile(wheel)
    needed, versions = set(), {0}
    for name in archive.namelist():
        if not name.endswith(".so"):
            continue
        file = ELFFile(io.BytesIO(archive.read(name)))
        dynamic = file.get_section_by_name(".dynamic")
        symbols = file.get_section_by_name(".gnu.version_r")
        assert isinstance(dynamic, DynamicSection) and isinstance(symbols, GNUVerNeedSection)
        needed |= {tag.needed for tag in dynamic.iter_tags("DT_NEEDED")}
        wanted = [one.name for _, ones in symbols.iter_versions() for one in ones]
        versions |= {int(text[8:].split(".")[0]) for text in wanted if text.startswith("GLIBC_2.")}
    assert needed <= {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2"}
    assert max(versions) <= int(found[1])


def test_it_works_away_from_the_checkout(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    (tmp_path / "hello.c").write_text(HELLO)
    environment = {**os.environ, "PYTHONPATH": str(site)}
    rck = [sys.executable, "-m", "rockcreek"]
    options = {"cwd": tmp_path, "env": environment, "capture_output": True, "text": True}
    shown = subprocess.run([*rck, "cc", "--show", "hello.c"], check=True, **options)
    assert str(site) in shown.stdout and str(ROOT / "python") not in shown.stdout
    if mpi.usable():
        shown = subprocess.run([*rck, "mpicc", "-show"], check=True, **options)
        assert str(site / "rockcreek/_mpi/lib") in shown.stdout
    subprocess.run([*rck, "cc", "hello.c", "-o", "hello"], check=True, **options)
    ran = subprocess.run([*rck, "run", "hello"], check=True, **options)
    assert ran.stdout == "hello\n"
