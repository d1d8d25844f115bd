"""A wheel carries MPI if it was built, from today's sources and with its licences; and says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from build_backend import backend

from rockcreek.toolchain import built, mpi


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like that of `make mpi`, which RCK_MPI names."""
    folder = tmp_path / "install"
    for name in ("lib/libmpi.a", "include/mpi.h", "licences/mpich.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    (folder / "lib" / built.STAMP).write_text(mpi.SOURCES.digest())
    monkeypatch.setenv("RCK_MPI", str(folder))
    monkeypatch.setattr(backend, "PACKAGE", tmp_path / "package")
    (tmp_path / "package").mkdir()
    return folder


def test_it_is_packed_and_found_in_the_package(
    install: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    packed = tmp_path / "package/_mpi"
    with backend.packed_data():
        assert (packed / "lib/libmpi.a").is_file()
        # An installed package: no checkout around it, and nothing in the environment.
        monkeypatch.delenv("RCK_MPI")
        monkeypatch.setattr(mpi, "__file__", str(tmp_path / "package/toolchain/mpi.py"))
        assert mpi.folder() == packed and mpi.there()
    assert not packed.exists()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("lib/libmpi.a", "`make mpi` builds it"),
        (f"lib/{built.STAMP}", "older sources"),
        ("licences/mpich.txt", "no licences"),
    ],
)
def test_what_is_not_whole_stays_out(
    install: Path, change: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (install / change).unlink()
    (install / "licences").rmdir() if "licences" in change else None
    with backend.packed_data():
        assert not (tmp_path / "package/_mpi").exists()
    said = capsys.readouterr().err
    assert "wheel: without MPI" in said and told in said
