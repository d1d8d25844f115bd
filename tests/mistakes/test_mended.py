"""Programs of this folder without their mistake: the run ends with 0, and nothing is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from guest_programs import compile_as_told, empty_share, read_header
from rockcreek.cli import main

PROGRAMS = sorted(
    path
    for path in Path(__file__).parent.rglob("*.c*")
    if path.suffix in (".c", ".cpp") and "MENDED" in path.read_text()
)


def program_of(path: Path) -> object:
    """A parameter of the test, slow where the program is."""
    header = read_header(path.read_text())
    slow = header is not None and header.slow
    return pytest.param(path, id=path.stem, marks=pytest.mark.slow if slow else ())


@pytest.mark.parametrize("source", [program_of(path) for path in PROGRAMS])
def test_the_mended_program_is_silent(source: Path, capfd: pytest.CaptureFixture[str]) -> None:
    header = read_header(source.read_text())
    assert header is not None
    program = compile_as_told(source, header, ["-DMENDED"])
    share = ["--share", str(empty_share(program))] if header.share else []
    launcher = "mpirun" if header.mpi else "run"
    code = main([launcher, "--quiet", *share, *header.options, str(program), *header.arguments])
    said = capfd.readouterr().err
    assert code == 0, said
    assert said in ("", "rck: check: no findings\n")
