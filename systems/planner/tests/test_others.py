"""The planner against programs of others: h_add, actions and atoms of starts, and plans."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from systems.planner.tests import native, others, tiny

from rockcreek.planning import problems
from rockcreek.planning.validator.check import check
from rockcreek.planning.validator.lists import Source

SET = re.findall(
    r"^\[([\w-]+)\]", (native.ROOT / "experiments/planner/problems.toml").read_text(), re.MULTILINE
)


@pytest.fixture(scope="session")
def start() -> Path:
    return native.build(native.PLANNER / "programs" / "start.cpp")


@pytest.fixture(scope="session")
def planner() -> Path:
    return native.alone()


def _write(folder: Path, domain: str, problem: str) -> tuple[Path, Path]:
    files = folder / "domain.pddl", folder / "problem.pddl"
    for file, text in zip(files, (domain, problem), strict=True):
        file.write_text(text)
    return files


def _ours(start: Path, files: tuple[Path, Path]) -> others.Start:
    done = native.run(start, *files)
    assert done.returncode == 0, done.stderr
    said: dict[str, list[str]] = {"h_add": [], "applicable": [], "atom": []}
    for line in done.stdout.splitlines():
        kind, _, what = line.partition(" ")
        said[kind].append(what)
    for kind in said.values():
        assert len(set(kind)) == len(kind)
    return others.Start(
        float(said["h_add"][0]), frozenset(said["applicable"]), frozenset(said["atom"])
    )


def _at(problem: str, state: frozenset[str]) -> str:
    """The problem with another start."""
    head, _, rest = problem.partition("(:init")
    return f"{head}(:init {' '.join(sorted(state))})\n{rest[rest.index('(:goal') :]}"


@pytest.mark.parametrize("name", SET)
def test_starts_of_the_set(start: Path, tmp_path: Path, name: str) -> None:
    """At the problem's start, and where ten random actions lead from there."""
    domain, problem = problems.make(name)
    files = _write(tmp_path, domain, problem)
    assert _ours(start, files) == others.start_by_pyperplan(files)
    state = others.random_state(files, random.Random(name), 10)
    _write(tmp_path, domain, _at(problem, state))
    assert _ours(start, files) == others.start_by_pyperplan(files)


def test_starts_of_tiny_problems(start: Path, tmp_path: Path) -> None:
    """Without negative conditions, equality and costs, which pyperplan does not read."""
    found = []
    for seed in range(300):
        files = _write(tmp_path, *tiny.draw(seed, plain=True))
        ours = _ours(start, files)
        assert ours == others.start_by_pyperplan(files), seed
        found.append(ours)
    # Starts of all kinds: no way to the goal, goal true, something between.
    assert min(sum(one.h_add == float("inf") for one in found),
               sum(one.h_add == 0 for one in found),
               sum(0 < one.h_add < float("inf") for one in found)) > 20  # fmt: skip


@pytest.mark.parametrize("name", ["blocks-4-1", "depots-3-1", "hanoi-3-1"])
def test_two_validators_agree(planner: Path, tmp_path: Path, name: str) -> None:
    """On a plan, and on what is left of it without one of its actions."""
    domain, problem = problems.make(name)
    files = _write(tmp_path, domain, problem)
    plan = tmp_path / "plan"
    lines = native.run(planner, *files).stdout.splitlines(keepends=True)[:-1]
    verdicts = []
    for left_out in (None, *range(len(lines))):
        text = "".join(line for n, line in enumerate(lines) if n != left_out)
        plan.write_text(text)
        ours = check(Source("d", domain), Source("p", problem), Source("plan", text)).valid
        assert ours == others.is_valid_by_pyvalidator(files, plan), left_out
        verdicts.append(ours)
    assert verdicts[0]
    assert False in verdicts


def test_plans_of_tiny_problems(planner: Path, tmp_path: Path) -> None:
    """With negative conditions, equality and costs."""
    plan = tmp_path / "plan"
    accepted = 0
    for seed in range(100):
        files = _write(tmp_path, *tiny.draw(seed))
        if native.run(planner, "--output", plan, *files).returncode == 0:
            assert others.is_valid_by_pyvalidator(files, plan), seed
            accepted += 1
    assert accepted > 30
