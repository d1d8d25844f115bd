"""`OneshotPlanner(name="rockcreek")` of the library unified-planning: problems made in Python."""

from __future__ import annotations

import io
from itertools import pairwise

import pytest
from unified_planning.engines.results import PlanGenerationResultStatus as Status
from unified_planning.model import Problem
from unified_planning.shortcuts import (
    BoolType,
    Fluent,
    InstantaneousAction,
    Int,
    MinimizeActionCosts,
    Not,
    Object,
    OneshotPlanner,
    Or,
    PlanValidator,
    UserType,
    get_environment,
)

from rockcreek.planning import unified


@pytest.fixture(autouse=True)
def _registered() -> None:
    get_environment().credits_stream = None
    unified.register()


def _problem(*, goal: bool = True, bridge: bool = True) -> Problem:
    """A robot on four places in a row, names that PDDL does not have, costs of actions."""
    place = UserType("Place")
    at = Fluent("robot at", BoolType(), place=place)
    broken = Fluent("broken", BoolType(), place=place)
    after = Fluent("after", BoolType(), one=place, other=place)
    move = InstantaneousAction("Move", start=place, end=place)
    move.add_precondition(at(move.start))
    move.add_precondition(after(move.start, move.end))
    move.add_precondition(Not(broken(move.end)))
    move.add_effect(at(move.start), False)
    move.add_effect(at(move.end), True)
    problem = Problem("row")
    for fluent in (at, broken, after):
        problem.add_fluent(fluent, default_initial_value=False)
    problem.add_action(move)
    places = [problem.add_object(Object(f"p {n}", place)) or problem.object(f"p {n}")
              for n in range(4)]  # fmt: skip
    problem.set_initial_value(at(places[0]), True)
    for one, other in pairwise(places):
        problem.set_initial_value(after(one, other), True)
    problem.set_initial_value(broken(places[2]), not bridge)
    problem.add_goal(at(places[3]) if goal else Or(at(places[3]), at(places[2])))
    problem.add_quality_metric(MinimizeActionCosts({move: Int(3)}))
    return problem


@pytest.mark.parametrize("n", [1, 3])
def test_a_plan_in_the_problems_own_names(n: int) -> None:
    problem = _problem()
    with OneshotPlanner(name="rockcreek", params={"n": n}) as planner:
        result = planner.solve(problem)
    assert result.status == Status.SOLVED_SATISFICING
    assert [str(step) for step in result.plan.actions] == [
        "Move(p 0, p 1)", "Move(p 1, p 2)", "Move(p 2, p 3)",
    ]  # fmt: skip
    assert int(result.metrics["chip_ps"]) > 0
    with PlanValidator(problem_kind=problem.kind) as validator:
        assert validator.validate(problem, result.plan)


def test_no_plan_and_time_up() -> None:
    said = io.StringIO()
    with OneshotPlanner(name="rockcreek", params={"n": 2}) as planner:
        result = planner.solve(_problem(bridge=False), output_stream=said)
    assert (result.status, result.plan) == (Status.UNSOLVABLE_PROVEN, None)
    assert "no plan exists" in said.getvalue()
    with OneshotPlanner(name="rockcreek", params={"n": 2, "limit_s": 1e-9}) as planner:
        assert planner.solve(_problem()).status == Status.TIMEOUT
    with OneshotPlanner(name="rockcreek") as planner:
        assert planner.solve(_problem(), timeout=1e-3).status == Status.TIMEOUT


def test_what_the_planner_cannot_read() -> None:
    """The library asks the engine and warns; what the reader says comes back."""
    warning = pytest.warns(UserWarning, match="whether rockcreek can solve")
    with OneshotPlanner(name="rockcreek", params={"n": 1}) as planner, warning:
        result = planner.solve(_problem(goal=False))
    assert result.status == Status.UNSUPPORTED_PROBLEM
    assert "hint: the planner knows :strips" in result.log_messages[0].message


def test_wrong_parameters() -> None:
    with pytest.raises(TypeError, match="cores"):
        OneshotPlanner(name="rockcreek", params={"cores": 3})
