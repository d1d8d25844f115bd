"""What planners and validators of others say: pyperplan of a start, pddl-pyvalidator of a plan."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from pyperplan import grounding
from pyperplan.heuristics.relaxation import hAddHeuristic
from pyperplan.planner import _parse
from pyperplan.search.searchspace import make_root_node
from pyval import PDDLValidator

Files = tuple[Path, Path]


@dataclass(frozen=True)
class Start:
    """A problem's start."""

    h_add: float
    applicable: frozenset[str]
    atoms: frozenset[str]  # which relaxed reachability finds, static ones too


class _ToTheEnd(hAddHeuristic):  # type: ignore[misc]
    """Explores until nothing is left, where pyperplan ends with the goals."""

    def finished(self, achieved_goals, queue):
        return not queue


def start_by_pyperplan(files: Files) -> Start:
    """Of a problem that it can read: :strips and :typing alone."""
    problem = _parse(*map(str, files))
    task = grounding.ground(problem, remove_irrelevant_operators=False)
    explored = _ToTheEnd(task)
    h_add = explored(make_root_node(task.initial_state))
    reached = {name for name, fact in explored.facts.items() if fact.distance < float("inf")}
    # What no action's condition or effect names is none of its facts.
    constant = grounding._get_partial_state(problem.initial_state)
    applicable = (one.name for one in task.operators if one.applicable(task.initial_state))
    return Start(h_add, frozenset(applicable), frozenset(reached | constant))


def is_valid_by_pyvalidator(files: Files, plan: Path) -> bool:
    """True: it accepts the plan. That it cannot read a file is an error."""
    result = PDDLValidator().validate(*map(str, (*files, plan)))
    assert result.status in ("VALID", "INVALID"), result.phases
    return bool(result.is_valid)


def random_state(files: Files, rng: random.Random, steps: int) -> frozenset[str]:
    """Where random actions lead, by pyperplan; with the atoms that no action changes."""
    problem = _parse(*map(str, files))
    task = grounding.ground(problem, remove_irrelevant_operators=False)
    state = task.initial_state
    for _ in range(steps):
        following = sorted(task.get_successor_states(state), key=lambda one: one[0].name)
        if not following:
            break
        state = rng.choice(following)[1]
    constant = grounding._get_partial_state(problem.initial_state) - task.facts
    return frozenset(state | constant)
