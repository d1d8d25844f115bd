"""What `rck smp PROG` puts into the initial file system, and what it refuses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from guest_kernels import elf
from rockcreek.errors import InputError, NotFoundError, UsageError
from rockcreek.smp import program
from rockcreek.smp.program import file_system


def rck(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rockcreek", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_the_program_lies_there_with_its_words() -> None:
    first = str(program.FIRST)
    archive = file_system(first, ["a", "b c"], {"A": "1"})
    assert archive.count(program.FIRST.read_bytes()) == 2  # it starts itself here
    assert first.encode() + b"\0a\0b c\0" in archive
    assert b"HOME=/tmp\0TERM=dumb\0A=1\0" in archive
    assert file_system(first, [], {}, processors=96).count(b"96\0") > archive.count(b"96\0")
    with_folder = file_system(first, ["a", "b c"], {"A": "1"}, shares=True)
    assert with_folder.count(b"share\0") == archive.count(b"share\0") + 1


def test_a_folder_that_is_none() -> None:
    ran = rck("smp", "--share", "/none", "prog")
    assert ran.returncode == 66
    assert "--share /none: No such file" in ran.stderr
    assert "the guest sees it as /share" in ran.stderr


def test_what_one_linux_cannot_run(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no program")
    with pytest.raises(InputError, match="text"):
        file_system(str(tmp_path / "text"), [], {})
    (tmp_path / "wide").write_bytes(elf(b"\x90", machine=62))
    with pytest.raises(InputError, match="x86-64"):
        file_system(str(tmp_path / "wide"), [], {})
    (tmp_path / "script").write_text("#!/bin/sh\n")
    with pytest.raises(InputError, match="it is a script"):
        file_system(str(tmp_path / "script"), [], {})
    with pytest.raises(InputError, match="is a folder"):
        file_system(str(tmp_path), [], {})
    with pytest.raises(NotFoundError, match="No such file"):
        file_system(str(tmp_path / "none"), [], {})
    with pytest.raises(UsageError, match="RCCE, MPI or threads over cores"):
        file_system(str(program.FIRST.parents[1] / "examples/pingpong"), [], {})


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["smp", "-n", "49", "prog"], "-n 49: the chip"),
        (["smp", "-n", "0", "prog"], "-n 0: the chip"),
        (["smp", "-n", "2", "--cores", "0-1", "prog"], "exclude each other"),
        (["run", "--kernel", "smp", "--messages", "prog"], "--messages: one Linux"),
    ],
)
def test_wrong_options(words: list[str], told: str) -> None:
    ran = rck(*words)
    assert ran.returncode == 64
    assert told in ran.stderr
