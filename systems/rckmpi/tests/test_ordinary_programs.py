"""What courses and handbooks teach of MPI, each kind as a small program that checks itself.

The checker looks on: MPI's own order, by messages, is what it needs, and it finds nothing.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rockcreek.toolchain import mpi

FOLDER = Path(__file__).resolve().parent / "ordinary"
# What the program of rank 0 says at its end, if it is not "NAME: 0 wrong".
TOLD = {
    "pi": "pi: fine",
    "heat": "heat: 200 steps, 93.7 beside the warm end",
    "wtime": "wtime: fine, MPI 4.0 on rck01, tick below 1 us: 1",
    "cart": "cart: 3x2, 0 wrong",
    "classes": "classes: 435",
    "farm": "farm: 20540",
    "thread": "thread: single, 1",
}
APART = {"master", "worker"}
pytestmark = [
    pytest.mark.skipif(not mpi.there(), reason="needs MPI, which `make mpi` builds"),
    pytest.mark.slow,
]


def rck(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rockcreek", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def made(source: Path, folder: Path) -> str:
    compiler = "mpicxx" if source.suffix == ".cpp" else "mpicc"
    program = str(folder / source.stem)
    said = rck(compiler, "-O2", "-Wall", "-Wextra", "-Werror", str(source), "-lm", "-o", program)
    assert said.returncode == 0, said.stderr
    return program


@pytest.mark.parametrize("wait", ["poll", "interrupts"])
@pytest.mark.parametrize(
    "source",
    [path for path in sorted(FOLDER.iterdir()) if path.stem not in APART],
    ids=lambda path: path.stem,
)
def test_an_ordinary_program(source: Path, wait: str, tmp_path: Path) -> None:
    program = made(source, tmp_path)
    ranks = re.findall(r"run: -n (\d+)", source.read_text())[0]
    said = rck("mpirun", "-n", ranks, "--wait", wait, "-q", "--tag", "none", "--timeout", "300s",
               "--check", "error", "--share", str(tmp_path), program)  # fmt: skip
    assert said.stdout.strip() == TOLD.get(source.stem, f"{source.stem}: 0 wrong"), said.stderr
    assert said.returncode == 0, said.stderr


def test_workers_come_again_to_their_cores(tmp_path: Path) -> None:
    master, worker = (made(FOLDER / f"{name}.c", tmp_path) for name in ("master", "worker"))
    (tmp_path / "below").mkdir()
    said = rck("mpirun", "-n", "1", "--universe", "3", "--with", worker, "-q", "--tag", "none",
               "--timeout", "300s", "--share", str(tmp_path), master)  # fmt: skip
    assert said.stdout == "master: 6 of 6 answers\n", said.stderr
    assert said.returncode == 0, said.stderr


def test_with_interrupts_a_deadlock_is_noticed_at_once(tmp_path: Path) -> None:
    source = tmp_path / "stuck.c"
    source.write_text(
        "#include <mpi.h>\n"
        "int main(int argc, char **argv)\n"
        "{\n"
        "    int rank, n;\n"
        "    MPI_Init(&argc, &argv);\n"
        "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
        "    MPI_Recv(&n, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
        "}\n"
    )
    said = rck("mpirun", "-n", "2", "--wait", "interrupts", "-q", made(source, tmp_path))
    assert "deadlock: nothing can ever change again" in said.stderr
    assert "waits for UE 1: MPI_Recv of tag 5 in MPI_COMM_WORLD" in said.stderr
    assert said.returncode == 75


@pytest.mark.skipif(shutil.which("cmake") is None, reason="needs cmake")
def test_cmake_finds_mpi(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.10)\nproject(t C)\nfind_package(MPI REQUIRED)\n"
        "add_executable(m m.c)\ntarget_link_libraries(m MPI::MPI_C)\n"
    )
    (tmp_path / "m.c").write_text(
        "#include <mpi.h>\n#include <stdio.h>\n"
        "int main(int c, char **v) { int n; MPI_Init(&c, &v); MPI_Comm_size(MPI_COMM_WORLD, &n);\n"
        '  printf("%d\\n", n); MPI_Finalize(); return 0; }\n'
    )
    toolchain = rck("cmake").stdout.strip()
    for step in (["--toolchain", toolchain, "-B", "b"], ["--build", "b"]):
        ran = subprocess.run(
            ["cmake", *step], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
    said = rck("mpirun", "-n", "2", "-q", "--tag", "none", str(tmp_path / "b/m"))
    assert said.stdout == "2\n2\n", said.stderr
