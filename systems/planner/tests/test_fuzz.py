"""Texts with random changes: the reader and the grounder refuse them in words, or take them.

`make planner-fuzz` has a million under sanitizers (systems/planner/planner.mk).
"""

from __future__ import annotations

from pathlib import Path

from systems.planner.tests import native

TEXTS = Path(__file__).parent / "texts"


def test_changed_texts() -> None:
    program = native.build(native.PLANNER / "programs" / "fuzz.cpp")
    files = TEXTS / "domain.pddl", TEXTS / "problem.pddl"
    done = native.run(program, *files, "1", "10000")
    assert done.returncode == 0, done.stderr
    texts, _, tasks, _ = done.stdout.split()
    # Some of them are still tasks: the changes go further than the first parenthesis.
    assert int(texts) == 10000
    assert int(tasks) > 50
