"""Programs that people run, at their smallest; only where `make mpi` was run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rockcreek.toolchain import mpi

PROGRAMS = Path(__file__).resolve().parents[1] / "programs"
pytestmark = pytest.mark.skipif(not mpi.there(), reason="needs MPI, which `make mpi` builds")


def ran(name: str, ranks: int, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    rck = [sys.executable, "-m", "rockcreek"]
    program = str(folder / name)
    flags = ["-O2", "-Wall", "-Wextra", "-Werror"]
    made = [*rck, "mpicc", *flags, str(PROGRAMS / f"{name}_mpi.c"), "-lm", "-o", program]
    subprocess.run(made, check=True)
    run = [*rck, "mpirun", "-n", str(ranks), "--channel", "bells", "-q", "--tag", "none"]
    run += ["--timeout", "60s", "--check", "races", program, *arguments]
    said = subprocess.run(run, capture_output=True, text=True, check=False)
    assert said.stderr == "rck: check: no findings\n"
    return said


def test_a_system_of_equations_on_a_grid_of_ranks(tmp_path: Path) -> None:
    # So many that bells are rung.
    said = ran("lu", 6, tmp_path, "30", "4")
    assert "lu: order 30, blocks of 4, 2 x 3 ranks:" in said.stdout
    assert said.stdout.endswith(": passed\n")
    assert said.returncode == 0


def test_tables_of_collectives(tmp_path: Path) -> None:
    said = ran("tables", 3, tmp_path, "64", "1", "barrier", "allreduce", "alltoall")
    rows = [line.split() for line in said.stdout.splitlines() if line]
    assert [row[1] for row in rows if row[0] == "#"] == ["barrier,", "allreduce,", "alltoall,"]
    numbers = [list(map(float, row)) for row in rows if row[0].isdigit()]
    assert [int(row[0]) for row in numbers] == [0, 4, 16, 64, 1, 4, 16, 64]
    assert all(0 < fastest <= mean <= slowest for _, fastest, slowest, mean in numbers)
    assert said.returncode == 0


@pytest.mark.parametrize("mended", [False, True])
def test_a_race_of_the_program_is_told_and_none_of_the_channel(
    tmp_path: Path, mended: bool
) -> None:
    rck, program = [sys.executable, "-m", "rockcreek"], str(tmp_path / "raced")
    source = Path(__file__).with_name("raced.c")
    subprocess.run([*rck, "mpicc", "-O2", str(source), "-o", program], check=True)
    run = [*rck, "mpirun", "-n", "2", "-q", "--tag", "none", "--timeout", "60s"]
    run += ["--check", "races", program, *["barrier"] * mended]
    said = subprocess.run(run, capture_output=True, text=True, check=False)
    assert said.stdout == "sum 4216\n", said.stderr
    if mended:
        assert said.stderr == "rck: check: no findings\n"
    else:
        assert "rck: check: 1 finding, 1 of them races" in said.stderr
        assert "read          core 01 in main (raced.c:" in said.stderr


def test_parts_of_one_program_that_has_its_own_read(tmp_path: Path) -> None:
    rck, program = [sys.executable, "-m", "rockcreek"], str(tmp_path / "own")
    (tmp_path / "own.c").write_text(
        "#include <mpi.h>\n#include <stdio.h>\nint read(int a, int b) { return a + b; }\n"
        "int main(int c, char **v) { int n; MPI_Init(&c, &v); MPI_Comm_size(MPI_COMM_WORLD, &n);\n"
        '  printf("%d %d\\n", n, read(4, 3)); return MPI_Finalize(); }\n'
    )
    subprocess.run([*rck, "mpicc", "-w", f"{program}.c", "-o", program], check=True)
    run = [*rck, "mpirun", "-q", "--tag", "none", "-n", "1", program, ":", "-n", "2", program]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout == "3 7\n" * 3
