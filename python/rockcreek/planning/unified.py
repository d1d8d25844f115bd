"""An engine of the library unified-planning: problems made in Python, planned on the chip.

    from unified_planning.shortcuts import OneshotPlanner
    from rockcreek.planning import unified

    unified.register()
    with OneshotPlanner(name="rockcreek", params={"n": 8}) as planner:
        result = planner.solve(problem)

The problem travels as PDDL, which the library writes, and its plan comes back by the names of the
library's writer. The library is an extra: `pip install 'rockcreek[planning]'`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Any
from warnings import warn

from rockcreek.errors import InputError, RockcreekError
from rockcreek.planning import job
from rockcreek.results.result import END_TIMEOUT

try:
    import unified_planning  # noqa: F401
    from unified_planning.engines import Credits, Engine, OptimalityGuarantee, PlanGenerationResult
    from unified_planning.engines.mixins import OneshotPlannerMixin
    from unified_planning.engines.results import LogLevel, LogMessage, PlanGenerationResultStatus
    from unified_planning.environment import Environment, get_environment
    from unified_planning.io import PDDLReader, PDDLWriter
    from unified_planning.model import ProblemKind
    from unified_planning.model.problem_kind_versioning import LATEST_PROBLEM_KIND_VERSION
except ImportError as error:
    raise RockcreekError(
        f"planning from Python needs {error.name}", hint="pip install 'rockcreek[planning]'"
    ) from error

NAME = "rockcreek"
# What the planner reads, in the library's words.
_KNOWN = {
    "ACTION_BASED",
    "FLAT_TYPING",
    "HIERARCHICAL_TYPING",
    "NEGATIVE_CONDITIONS",
    "EQUALITIES",
    "ACTIONS_COST",
    "PLAN_LENGTH",
    "INT_NUMBERS_IN_ACTIONS_COST",
    "STATIC_FLUENTS_IN_ACTIONS_COST",
}
_STATUS = {
    "no plan": PlanGenerationResultStatus.UNSOLVABLE_PROVEN,
    "time up": PlanGenerationResultStatus.TIMEOUT,
    "memory full": PlanGenerationResultStatus.MEMOUT,
    END_TIMEOUT: PlanGenerationResultStatus.TIMEOUT,
}


class RockcreekPlanner(Engine, OneshotPlannerMixin):  # type: ignore[misc]
    """The planner on the chip; parameters are fields of `job.Request`: n, weight, limit_s ..."""

    def __init__(self, **parameters: Any) -> None:
        Engine.__init__(self)
        OneshotPlannerMixin.__init__(self)
        job.Request("", "", **parameters)  # an unknown name is an error here, not in `solve`
        self._parameters = parameters

    @property
    def name(self) -> str:
        """The name by which `OneshotPlanner(name=)` finds this engine."""
        return NAME

    @staticmethod
    def supported_kind() -> ProblemKind:
        """Classical problems with types, negative conditions, equality and costs of actions."""
        return ProblemKind(_KNOWN, version=LATEST_PROBLEM_KIND_VERSION)

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        """Whether problems of this kind can be planned."""
        return bool(problem_kind <= RockcreekPlanner.supported_kind())

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        """Plans are valid, not the best ones."""
        return bool(optimality_guarantee == OptimalityGuarantee.SATISFICING)

    @staticmethod
    def get_credits(**_: Any) -> Credits:
        """The credits that unified-planning prints when it uses the engine."""
        return Credits(
            NAME,
            "the authors of Rockcreek",
            "",
            "",
            "Apache-2.0",
            "Weighted A* with h_add and lookahead on 48 cores of a simulated SCC.",
            "Weighted A* with h_add and lookahead on 48 cores of a simulated SCC.",
        )

    def _solve(
        self,
        problem: Any,
        heuristic: Callable[..., Any] | None = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
    ) -> PlanGenerationResult:
        if heuristic is not None:
            warn(f"{NAME} has a heuristic of its own and leaves the given one out", stacklevel=3)
        writer = PDDLWriter(problem)
        texts = [text.encode() for text in (writer.get_domain(), writer.get_problem())]
        terms = {"timeout_s": timeout, **self._parameters.get("terms", {})}
        request = job.Request("domain", "problem", **{**self._parameters, "terms": terms})
        try:
            answer = job.plan_texts(request, texts)
        except InputError as error:
            logs = [LogMessage(LogLevel.ERROR, error.render())]
            status = PlanGenerationResultStatus.UNSUPPORTED_PROBLEM
            return PlanGenerationResult(status, None, NAME, log_messages=logs)
        said = answer.result.stderr.decode(errors="replace")
        if output_stream is not None:
            output_stream.write(said)
        plan, status = None, _STATUS.get(answer.end, PlanGenerationResultStatus.INTERNAL_ERROR)
        if answer.plan:
            reader = PDDLReader(problem.environment)
            plan = reader.parse_plan_string(problem, answer.plan, writer.get_item_named)
            status = PlanGenerationResultStatus.SOLVED_SATISFICING
        logs = [LogMessage(LogLevel.INFO, said)]
        return PlanGenerationResult(status, plan, NAME, _metrics(answer), logs)


def _metrics(answer: job.Answer) -> dict[str, str]:
    """Counts of the search; times are the chip's."""
    found = {"chip_ps": answer.result.time_ps}
    if answer.report:
        names = ("evaluated", "generated", "sent")
        found |= {name: answer.total(name) for name in names}
    return {name: str(value) for name, value in found.items()}


def register(environment: Environment | None = None) -> None:
    """Make the engine known by its name; without an environment, to the library's common one."""
    factory = (environment or get_environment()).factory
    factory.add_engine(NAME, __name__, RockcreekPlanner.__name__)
