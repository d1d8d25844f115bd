"""`pip install .` alone makes the whole wheel: engine, kernel, sysroot and chip descriptions."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

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
    # In a checkout, descriptions and studies are read where they are edited.
    for folder in ("_machine", "_experiments", "_guide"):
        assert not (ROOT / "python/rockcreek" / folder).exists()


def test_it_works_away_from_the_checkout(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    (tmp_path / "hello.c").write_text(HELLO)
    environment = {**os.environ, "PYTHONPATH": str(site)}
    rck = [sys.executable, "-m", "rockcreek"]
    options = {"cwd": tmp_path, "env": environment, "capture_output": True, "text": True}
    shown = subprocess.run([*rck, "cc", "--show", "hello.c"], check=True, **options)
    assert str(site) in shown.stdout and str(ROOT / "python") not in shown.stdout
    subprocess.run([*rck, "cc", "hello.c", "-o", "hello"], check=True, **options)
    ran = subprocess.run([*rck, "run", "hello"], check=True, **options)
    assert ran.stdout == "hello\n"
