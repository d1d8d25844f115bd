"""MPI's programs in every channel; only where `make mpi` was run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rockcreek.toolchain import mpi

PROGRAMS = Path(__file__).resolve().parents[1] / "programs"
CHANNELS = ("original", "improved", "bells")
pytestmark = [
    pytest.mark.skipif(not mpi.there(), reason="needs MPI, which `make mpi` builds"),
    pytest.mark.slow,
]


def rck(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rockcreek", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mpi")
    for name in ("ring", "storm", "aborts"):
        source = PROGRAMS / f"{name}_mpi.c"
        said = rck("mpicc", "-O2", "-Wall", "-Wextra", "-Werror", str(source), "-o",
                   str(folder / name))  # fmt: skip
        assert said.returncode == 0, said.stderr
    return folder


@pytest.mark.parametrize("channel", CHANNELS)
def test_a_ring(built: Path, channel: str) -> None:
    ring = str(built / "ring")
    said = rck("mpirun", "-n", "3", "--channel", channel, "-q", "--tag", "none", ring, "3000", "2")
    assert said.stdout == "3000 numbers, 2 rounds of 3 ranks: 0 wrong\n"
    assert said.returncode == 0


@pytest.mark.parametrize("channel", CHANNELS)
def test_a_storm(built: Path, channel: str) -> None:
    storm = str(built / "storm")
    said = rck("mpirun", "-np", "4", "--channel", channel, "-q", "--tag", "none", storm, "50")
    assert said.stdout == "storm: 200 messages between 4 ranks: all whole\n", said.stderr


@pytest.mark.parametrize("how", ["abort", "exit", "die"])
def test_a_rank_that_gives_up_ends_all(built: Path, how: str) -> None:
    said = rck("mpirun", "-n", "3", "-q", "--timeout", "60s", str(built / "aborts"), how)
    words = {
        "abort": "rckmpi: rank 1 (core 1) ends the job with code 7",
        "exit": "rckmpi: rank 1 (core 1) ended without MPI_Finalize",
        "die": "rckmpi: a rank died",
    }
    assert words[how] in said.stderr
    # The lowest core ends with the code that it received; 139 is 128 and the signal.
    assert said.returncode == {"abort": 7, "exit": 1, "die": 139}[how], said.stderr


def made(folder: Path, name: str) -> str:
    source = PROGRAMS / f"{name}_mpi.c"
    said = rck("mpicc", "-O2", "-Wall", "-Wextra", "-Werror", str(source), "-lm", "-o",
               str(folder / name))  # fmt: skip
    assert said.returncode == 0, said.stderr
    return str(folder / name)


@pytest.mark.parametrize("channel", ["improved", "bells"])
def test_one_process_spawns_all_others(tmp_path: Path, channel: str) -> None:
    spawn = made(tmp_path, "spawn")
    said = rck("mpirun", "-n", "1", "--universe", "8", "--channel", channel, "-q", "--tag", "none",
               "--timeout", "120s", spawn)  # fmt: skip
    assert "spawned 7 in" in said.stdout
    assert ": 0 wrong answers, 8 together, sum 28\n" in said.stdout, said.stderr
    assert said.returncode == 0, said.stderr


def test_more_than_the_universe_is_refused(tmp_path: Path) -> None:
    spawn = made(tmp_path, "spawn")
    said = rck("mpirun", "-n", "1", "--universe", "3", "-q", "--timeout", "120s", spawn, "5")
    assert "spawn cannot be started: too few cores are free" in said.stderr
    assert said.returncode != 0


@pytest.mark.parametrize("channel", ["improved", "bells"])
def test_two_jobs_meet_and_part(tmp_path: Path, channel: str) -> None:
    meet = made(tmp_path, "meet")
    said = rck("mpirun", "-n", "6", "--jobs", "3,3", "--channel", channel, "-q", "--tag", "none",
               "--timeout", "120s", meet, "5")  # fmt: skip
    lines = sorted(said.stdout.splitlines())
    assert lines == [f"job {job} of 3 ranks: met 5 times, 0 wrong" for job in (0, 1)], said.stderr


def test_the_original_channel_connects_no_jobs(tmp_path: Path) -> None:
    meet = made(tmp_path, "meet")
    said = rck("mpirun", "-n", "2", "--jobs", "1,1", "--channel", "original", "-q", "--timeout",
               "120s", meet)  # fmt: skip
    assert "'original' has sections for the ranks of its own job only" in said.stderr
    assert said.returncode not in (0, 75), said.stderr


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("halo", "as one process"),
        ("cg", "solution right"),
        ("micro", "messages/s"),
        ("file", "16 x 24 numbers by 3 ranks: 0 wrong"),
    ],
)
def test_what_people_run(tmp_path: Path, name: str, told: str) -> None:
    arguments = {"halo": ["24", "6"], "cg": ["12"], "micro": ["1024", "1"], "file": ["/m", "8"]}
    program = made(tmp_path, name)
    said = rck("mpirun", "-n", "3", "-q", "--tag", "none", "--timeout", "120s", "--share",
               str(tmp_path), program, *arguments[name])  # fmt: skip
    assert told in said.stdout, said.stderr
    assert said.returncode == 0


def test_ranks_begin_in_the_folder_that_is_named(tmp_path: Path) -> None:
    program = made(tmp_path, "file")
    (tmp_path / "below").mkdir()
    rest = ["-q", "--tag", "none", "--timeout", "120s", "--share", str(tmp_path), program, "m", "8"]
    said = rck("mpirun", "-n", "2", "--wdir", "/below", *rest)
    assert "numbers by 2 ranks: 0 wrong" in said.stdout, said.stderr
    assert (tmp_path / "below/m").is_file()
    said = rck("mpirun", "-n", "2", "--wdir", "/beside", *rest)
    assert said.returncode == 64
    assert "rckmpi: cannot enter the folder '/beside'" in said.stderr
