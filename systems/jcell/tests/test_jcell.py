"""The simulation by the host's compiler and on the chip; logs of runs; bad input."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.guest_programs import compile_program, run_program

SYSTEM = Path(__file__).resolve().parents[1]
SIMULATION = [*sorted((SYSTEM / "simulation").glob("*.c")), *sorted((SYSTEM / "tree").glob("*.c"))]
CHECK = SYSTEM / "check.py"


@pytest.fixture(scope="module")
def simulate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The simulation, built by the host's compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("the host has no C compiler")
    program = tmp_path_factory.mktemp("jcell") / "simulate"
    command = [compiler, "-O2", "-std=c11", f"-I{SYSTEM}/include", *SIMULATION, "-o", program]
    subprocess.run(command, check=True)
    return program


def _check(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, CHECK, folder], capture_output=True, text=True, check=False
    )


def _numbers(text: str) -> dict[str, int]:
    words = text.splitlines()[0].split()
    return dict(zip(words[::2], map(int, words[1::2]), strict=True))


def test_caches_see_what_was_published_of_small_ones(simulate: Path) -> None:
    """Red-black versions stay good, those of an AVL tree do not."""
    outdated = {}
    for tree in ("avl", "rb"):
        output = subprocess.check_output([simulate, tree, "50", "1", "40000"], text=True)
        counts = _numbers(output)
        assert counts["accesses"] == counts["misses"] + counts["good"] + counts["bad"]
        outdated[tree] = counts["bad"] / (counts["good"] + counts["bad"])
    assert outdated["avl"] > 0.3
    assert 0 < outdated["rb"] < 0.1


def test_host_and_chip_compute_the_same(simulate: Path) -> None:
    arguments = ["avl", "30", "7", "2000", "20", "300"]
    wanted = subprocess.check_output([simulate, *arguments], text=True)
    flags = [f"-I{SYSTEM}/include", *map(str, SIMULATION[1:])]
    program = compile_program(SIMULATION[0], ["-O2", *flags])
    ran = run_program(program, *arguments, options=["--tag", "none", "-q"])
    assert ran.stdout == wanted


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("", "usage: simulate avl|rb CACHE SEED"),
        ("avl", "usage: simulate"),
        ("heap 50 1", "usage: simulate"),
        ("avl 0 1", "1 or more objects in a cache"),
        ("avl x 1", "argument 2: 'x' is not a number from 0 to 10000"),
        ("rb 9 1 -1", "argument 4: '-1' is not"),
        ("rb 9 1 10 5 20 leaf", "argument 7: 'leaf'"),
        ("rb 9 1 10 5 20 root more", "usage: simulate"),
    ],
)
def test_bad_arguments_are_named(simulate: Path, arguments: str, said: str) -> None:
    command = [simulate, *arguments.split()]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert said in ran.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("x", "'x': TRANSACTIONS is a number from 1 to 10000000; jcell [TRANSACTIONS"),
        ("1.5", "'1.5': TRANSACTIONS is"),
        ("10 5000", "'5000': KEYS is a number from 1 to 4094"),
        ("10 100 0", "'0': CACHE is"),
        ("10 100 20 251", "'251': DEPTH is a number from 1 to 250"),
        ("10 100 20 1 log", "'/log.0': no such file can be made in the shared folder (rck run"),
        ("10 100 20 1 log 7", "'7': too many arguments"),
    ],
)
def test_bad_arguments_on_the_chip_are_named(arguments: str, said: str) -> None:
    program = compile_program(SYSTEM / "programs/jcell.c", ["-DGORY", "-ljcell", "-lrcce"])
    ran = run_program(program, *arguments.split(), options=["-n", "1"])
    assert ran.returncode == 2
    assert said in ran.stderr


def test_a_small_storm_is_serialisable(tmp_path: Path) -> None:
    program = compile_program(SYSTEM / "programs/jcell.c", ["-DGORY", "-ljcell", "-lrcce"])
    ran = run_program(
        program, "60", "300", "12", "3", "log", options=["-n", "6", "--share", str(tmp_path)]
    )
    assert ran.returncode == 0, ran.stderr
    checked = _check(tmp_path)
    assert checked.stdout.startswith("serialisable: 60 transactions of 6 cores"), checked.stdout


@pytest.mark.parametrize(
    ("log", "said"),
    [
        ("t 1\nw 5 0\n= 5 1 7 0\nt 1\nw 5 0\n= 5 1 7 0\n", "object 5, version 1: by"),
        ("t 2\nw 5 0\nr 6 1\n= 5 1 7 0\nt 2\nr 5 1\nw 6 0\n= 9 1 7 0\n", "in cycles"),
        ("t 1\nr 5 3\n= 5 1 7 0\n", "nobody wrote it"),
        ("t 1\nw 5 0\n= 4 1 7 0\n", "key 4 was there"),
    ],
)
def test_what_is_not_serialisable_is_found(tmp_path: Path, log: str, said: str) -> None:
    (tmp_path / "log.0").write_text(log)
    ran = _check(tmp_path)
    assert ran.returncode == 1
    assert said in ran.stdout


@pytest.mark.parametrize(
    ("log", "said"),
    [
        ("t 1\nr five 0\n", "log.0:2: no log line"),
        ("", "log.0: no transaction"),
        ("t 1\nw 5 0\n= 5 1 7 0\nt 3\nr 5 1\n", "log.0:4: this transaction is not whole"),
        ("t 2\nw 5 0\n= 5 1 7 0\n", "log.0:1: this transaction is not whole"),
    ],
)
def test_a_damaged_log_is_named_by_line(tmp_path: Path, log: str, said: str) -> None:
    (tmp_path / "log.0").write_text(log)
    ran = _check(tmp_path)
    assert ran.returncode == 2
    assert said in ran.stderr
