"""MPI's commands where MPI is not there, and how its packages are fetched."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from scripts import packages  # noqa: E402

from rockcreek.toolchain import built  # noqa: E402
from rockcreek.toolchain.paths import ToolchainError  # noqa: E402

SMALL = built.Sources("small", ("channel/*.c",), "small")

TEXT = b"a package"
PACKAGE = {
    "registry": "debian-source",
    "name": "small",
    "version": "1.0-1",
    "sha256": hashlib.sha256(TEXT).hexdigest(),
}


def rck(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rockcreek", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=env or None)


@pytest.mark.parametrize("command", ["mpicc", "mpicxx"])
def test_a_compiler_without_mpi_says_how_to_get_it(command: str, tmp_path: Path) -> None:
    said = rck(command, "prog.c", RCK_MPI=str(tmp_path), PATH="/usr/bin:/bin")
    assert said.returncode == 66
    assert f"rck {command}: error: MPI is not there: no {tmp_path}/lib/libmpi.a" in said.stderr
    assert "hint: in a checkout, 'make mpi' fetches and builds it" in said.stderr


def test_mpirun_refuses_what_there_is_not() -> None:
    said = rck("mpirun", "-n", "2", "--channel", "sockets", "prog")
    assert said.returncode == 64
    assert "'sockets' is not one of 'original', 'improved', 'bells'" in said.stderr
    said = rck("mpirun", "-n", "49", "--channel", "bells", sys.executable)
    assert said.returncode == 64
    assert "the chip 'scc' has cores 0 to 47" in said.stderr


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Stands for Debian's archive; what it gave."""
    given: list[str] = []

    def give(place: Path, package: dict[str, Any], state: Path) -> None:
        given.append(package["version"])
        (place / "small_1.0.orig.tar.xz").write_bytes(TEXT)

    monkeypatch.setattr(packages, "_debian_source", give)
    return given


def test_a_package_is_fetched_once(tmp_path: Path, registry: list[str]) -> None:
    shelf = packages.Shelf(tmp_path, "mpi")
    path = shelf.download("small", PACKAGE)
    assert path.read_bytes() == TEXT
    assert shelf.download("small", PACKAGE) == path
    assert registry == ["1.0-1"]
    # A download that was cut off is fetched again.
    path.write_bytes(TEXT[:4])
    assert shelf.download("small", PACKAGE).read_bytes() == TEXT
    assert len(registry) == 2


def test_another_content_is_refused(tmp_path: Path, registry: list[str]) -> None:
    wrong = {**PACKAGE, "sha256": "0" * 64}
    with pytest.raises(packages.FetchError, match="small: no file with the pinned sha256"):
        packages.Shelf(tmp_path, "mpi").download("small", wrong)
    with pytest.raises(packages.FetchError, match="small: there is no registry 'floppy'"):
        packages.Shelf(tmp_path / "b", "mpi").download("small", {**PACKAGE, "registry": "floppy"})


@pytest.fixture
def small_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A system with one source, and a library that was built from it."""
    source = tmp_path / "systems/small/channel/a.c"
    source.parent.mkdir(parents=True)
    source.write_text("int a;\n")
    monkeypatch.setattr(built, "SYSTEMS", tmp_path / "systems")
    (tmp_path / "libsmall.a").write_bytes(b"")
    (tmp_path / built.STAMP).write_text(SMALL.digest() + "\n")
    return tmp_path


def test_a_library_of_other_sources_is_refused(small_system: Path) -> None:
    library = small_system / "libsmall.a"
    SMALL.check(library)
    # A second source, a source's other name and a build before there were digests count, too.
    source = small_system / "systems/small/channel/a.c"
    source.write_text("int b;\n")
    with pytest.raises(ToolchainError, match="not built from what systems/small is now") as refused:
        SMALL.check(library)
    assert refused.value.hint is not None
    assert "'make small' builds it again" in refused.value.hint
    source.write_text("int a;\n")
    SMALL.check(library)
    source.rename(source.with_name("b.c"))
    assert SMALL.stale(library)
    (small_system / built.STAMP).unlink()
    assert SMALL.stale(library)
