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
    run += ["--timeout", "60s", program, *arguments]
    return subprocess.run(run, capture_output=True, text=True, check=False)


def test_a_system_of_equations_on_a_grid_of_ranks(tmp_path: Path) -> None:
    said = ran("lu", 4, tmp_path, "30", "4")
    assert "lu: order 30, blocks of 4, 2 x 2 ranks:" in said.stdout, said.stderr
    assert said.stdout.endswith(": passed\n")
    assert said.returncode == 0


def test_tables_of_collectives(tmp_path: Path) -> None:
    said = ran("tables", 3, tmp_path, "64", "1", "barrier", "allreduce", "alltoall")
    rows = [line.split() for line in said.stdout.splitlines() if line]
    assert [row[1] for row in rows if row[0] == "#"] == ["barrier,", "allreduce,", "alltoall,"]
    numbers = [list(map(float, row)) for row in rows if row[0].isdigit()]
    assert [int(row[0]) for row in numbers] == [0, 4, 16, 64, 1, 4, 16, 64], said.stderr
    assert all(0 < fastest <= mean <= slowest for _, fastest, slowest, mean in numbers)
    assert said.returncode == 0
