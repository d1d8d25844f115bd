"""The sequential planner, built for this host: what it finds is a plan, and what it does not find
does not exist."""

from __future__ import annotations

from pathlib import Path

import pytest
from systems.planner.tests import native, tiny

from rockcreek.planning import problems
from rockcreek.planning.validator.check import check
from rockcreek.planning.validator.lists import Source

NO_PLAN, NONE_YET, NO_MEMORY = 69, 75, 71


@pytest.fixture(scope="session")
def planner() -> Path:
    return native.alone()


def _write(folder: Path, domain: str, problem: str) -> tuple[Path, Path]:
    files = folder / "domain.pddl", folder / "problem.pddl"
    for file, text in zip(files, (domain, problem), strict=True):
        file.write_text(text)
    return files


@pytest.mark.parametrize(
    "options", [(), ("--weight", "1"), ("--no-lookahead",), ("--ties", "7")], ids=" ".join
)
@pytest.mark.parametrize(
    "name", ["blocks-8-1", "gripper-8-1", "depots-5-1", "storage-4-1", "visitall-5-1", "puzzle-3-1"]
)
def test_its_plans_are_plans(
    planner: Path, tmp_path: Path, name: str, options: tuple[str, ...]
) -> None:
    domain, problem = problems.make(name)
    done = native.run(planner, *options, *_write(tmp_path, domain, problem))
    assert done.returncode == 0, done.stderr
    verdict = check(Source("d", domain), Source("p", problem), Source("plan", done.stdout))
    assert verdict.valid, verdict.why
    assert done.stdout.endswith(f"; cost = {verdict.cost} (unit cost)\n")


def test_tiny_problems_as_breadth_first_search_has_them(planner: Path, tmp_path: Path) -> None:
    """200 problems, some solvable, some not; both kinds are many."""
    solvable = []
    seed = 0
    while len(solvable) < 200:
        domain, problem = tiny.draw(seed)
        seed += 1
        wanted = tiny.is_solvable(domain, problem)
        if wanted is None:
            continue
        solvable.append(wanted)
        for options in ((), ("--no-lookahead",)):
            done = native.run(planner, *options, *_write(tmp_path, domain, problem))
            assert done.returncode == (0 if wanted else NO_PLAN), (seed - 1, done.stderr)
            if wanted:
                verdict = check(Source("d", domain), Source("p", problem), Source("f", done.stdout))
                assert verdict.valid, (seed - 1, verdict.why)
    assert 50 <= sum(solvable) <= 150


def test_anytime_finds_shorter_plans(planner: Path, tmp_path: Path) -> None:
    files = _write(tmp_path, *problems.make("blocks-9-2"))
    lengths = []
    for options in ((), ("--anytime", "0.5")):
        done = native.run(planner, *options, *files)
        assert done.returncode == 0
        lengths.append(done.stdout.count("("))
    assert lengths[1] < lengths[0]


def test_costs_are_what_anytime_makes_small(planner: Path, tmp_path: Path) -> None:
    """One step of cost 9, or three of cost 1."""
    domain = """(define (domain ways) (:requirements :strips :action-costs)
      (:predicates (at ?x) (way ?x ?y)) (:functions (total-cost) - number (far ?x ?y) - number)
      (:action go :parameters (?x ?y) :precondition (and (at ?x) (way ?x ?y))
        :effect (and (at ?y) (not (at ?x)) (increase (total-cost) (far ?x ?y)))))"""
    ways = {("a", "d"): 9, ("a", "b"): 1, ("b", "c"): 1, ("c", "d"): 1}
    init = " ".join(f"(way {a} {b}) (= (far {a} {b}) {far})" for (a, b), far in ways.items())
    problem = f"""(define (problem p) (:domain ways) (:objects a b c d)
      (:init (at a) {init}) (:goal (at d)) (:metric minimize (total-cost)))"""
    files = _write(tmp_path, domain, problem)
    assert native.run(planner, *files).stdout == "(go a d)\n; cost = 9 (general cost)\n"
    done = native.run(planner, "--anytime", "1", *files)
    assert done.stdout == "(go a b)\n(go b c)\n(go c d)\n; cost = 3 (general cost)\n"


def test_time_up_and_memory_full(planner: Path, tmp_path: Path) -> None:
    files = _write(tmp_path, *problems.make("puzzle-5-1"))
    done = native.run(planner, "--no-lookahead", "--limit", "0.05", *files)
    assert (done.returncode, done.stdout) == (NONE_YET, "")
    done = native.run(planner, "--no-lookahead", "--memory", "3", *files)
    assert (done.returncode, done.stdout) == (NO_MEMORY, "")
    assert "planner: rank 0 has no memory left: it holds " in done.stderr


def test_a_goal_that_is_true_at_the_start_has_an_empty_plan(planner: Path, tmp_path: Path) -> None:
    domain, problem = problems.make("visitall-3-1")
    start = next(line.strip() for line in problem.splitlines() if "(visited" in line)
    goal = problem.index("(:goal")
    files = _write(tmp_path, domain, f"{problem[:goal]}(:goal (and {start})))")
    assert native.run(planner, *files).stdout == "; cost = 0 (unit cost)\n"


def test_one_name_is_one_problem() -> None:
    assert problems.make("depots-7-3") == problems.make("depots-7-3")
    assert problems.make("depots-7-3") != problems.make("depots-7-4")
