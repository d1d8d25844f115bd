"""A plan against a domain and a problem: each action in turn, then the goal."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rockcreek.planning.validator.lists import Source
from rockcreek.planning.validator.model import Atom, Literal, Model, Operator, load

_COST = re.compile(r"^;\s*cost\s*=\s*(\d+)", re.MULTILINE)


@dataclass(frozen=True)
class Verdict:
    """The result of checking a plan."""

    valid: bool
    length: int
    cost: int
    why: str = ""  # of a plan that is not valid, with the line of the plan


def check(domain: Source, problem: Source, plan: Source) -> Verdict:
    """Whether the plan leads from the start to the goal."""
    model = load(domain, problem)
    state, cost, length = set(model.start), 0, 0
    for item in plan.items():
        if item.word is not None:
            why = f"an action should stand here in parentheses, not '{item.word}'"
            return Verdict(False, length, cost, f"{plan.path}:{item.line}: {why}")
        words = tuple(part.word or "" for part in item.parts)
        where = f"{plan.path}:{item.line}: ({' '.join(words)})"
        why = _refusal(model, state, words)
        if why:
            return Verdict(False, length, cost, f"{where}: {why}")
        cost += _apply(model, state, words)
        length += 1
    missing = [literal for literal in model.goal if not _holds(literal, state, {})]
    if missing:
        left = ", ".join(_show(literal) for literal in missing[:3])
        text = f"{plan.path}: {len(missing)} parts of the goal are not reached: {left}"
        return Verdict(False, length, cost, text)
    told = _COST.search(plan.text)
    if told and int(told[1]) != cost:
        return Verdict(
            False, length, cost, f"{plan.path}: the plan costs {cost}, but says {told[1]}"
        )
    return Verdict(True, length, cost)


def _bound(atom: Atom, binding: dict[str, str]) -> Atom:
    return (atom[0], *(binding.get(word, word) for word in atom[1:]))


def _holds(literal: Literal, state: set[Atom], binding: dict[str, str]) -> bool:
    atom = _bound(literal.atom, binding)
    true = atom[1] == atom[2] if atom[0] == "=" else atom in state
    return true != literal.negated


def _show(literal: Literal) -> str:
    text = f"({' '.join(literal.atom)})"
    return f"(not {text})" if literal.negated else text


def _binding(operator: Operator, words: Atom) -> dict[str, str]:
    names = (name for name, _ in operator.parameters)
    return dict(zip(names, words[1:], strict=True))


def _refusal(model: Model, state: set[Atom], words: Atom) -> str:
    """Why an action cannot be done now; empty if it can."""
    operator = model.operators.get(words[0]) if words else None
    if operator is None:
        return "there is no action of this name"
    if len(words) - 1 != len(operator.parameters):
        return f"this action has {len(operator.parameters)} parameters"
    for word, (name, types) in zip(words[1:], operator.parameters, strict=True):
        if word not in model.objects:
            return f"there is no object {word}"
        if not model.is_a(word, types):
            return f"{word} is no {' or '.join(types)}, as {name} must be"
    binding = _binding(operator, words)
    for literal in operator.before:
        if not _holds(literal, state, binding):
            bound = Literal(_bound(literal.atom, binding), literal.negated)
            return f"its condition {_show(bound)} is not true"
    return ""


def _apply(model: Model, state: set[Atom], words: Atom) -> int:
    """Changes the state; what the action costs."""
    operator = model.operators[words[0]]
    binding = _binding(operator, words)
    # What is added and deleted at once is true afterwards.
    for negated in (True, False):
        for literal in operator.effects:
            if literal.negated and negated:
                state.discard(_bound(literal.atom, binding))
            elif not literal.negated and not negated:
                state.add(_bound(literal.atom, binding))
    if not model.counts_cost:
        return 1
    return sum(
        cost if isinstance(cost, int) else model.values.get(_bound(cost, binding), 0)
        for cost in operator.costs
    )
