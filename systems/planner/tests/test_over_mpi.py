"""The planner over MPI: plans, no plan, bad input."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.guest_programs import compile_program, run_program

from rockcreek.planning import problems
from rockcreek.planning.validator.check import check
from rockcreek.planning.validator.lists import Source
from rockcreek.toolchain import mpi

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not mpi.there(), reason="needs MPI, which `make mpi` builds"),
]
PROGRAM = Path(__file__).parents[1] / "programs" / "over_mpi.cpp"
FLAGS = ["-std=c++17", "-O2", "-I${system}", "-lplanner"]


def _run(
    folder: Path, texts: tuple[str, str], *words: str, n: int = 3
) -> subprocess.CompletedProcess[str]:
    for file, text in zip(("d", "p"), texts, strict=True):
        (folder / file).write_text(text)
    program = compile_program(PROGRAM, FLAGS, compiler="mpicxx")
    options = ["-q", "-n", str(n), "--tag", "none", "--share", str(folder)]
    words = (*words, "/d", "/p")
    return run_program(program, *words, options=options, launcher="mpirun", timeout_s=300)


@pytest.mark.parametrize(
    ("n", "name", "words"),
    [
        (3, "pegs-8-1", ()),
        (3, "pegs-8-1", ("--batch", "4")),
        (3, "pegs-8-1", ("--spread",)),
        (48, "pegs-6-1", ()),
    ],
)
def test_a_plan(tmp_path: Path, n: int, name: str, words: tuple[str, ...]) -> None:
    texts = problems.make(name)
    done = _run(tmp_path, texts, *words, n=n)
    assert done.returncode == 0, done.stderr
    verdict = check(*map(Source, ("d", "p", "plan"), (*texts, done.stdout)))
    assert verdict.valid, verdict.why


@pytest.mark.parametrize("n", [1, 3])
def test_no_plan_ends(tmp_path: Path, n: int) -> None:
    domain, problem = problems.make("blocks-4-1")
    problem = problem[: problem.index("(:goal")] + "(:goal (and (on b0 b1) (on b1 b0))))"
    done = _run(tmp_path, (domain, problem), "--no-lookahead", n=n)
    assert done.returncode == 69
    assert "; no plan exists" in done.stderr


def test_bad_input(tmp_path: Path) -> None:
    _, problem = problems.make("blocks-4-1")
    done = _run(tmp_path, (problem, problem))
    assert done.returncode == 65
    assert done.stderr.startswith("/d:1:9: (domain NAME) should stand here")
