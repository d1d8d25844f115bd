"""Random tiny problems, and breadth-first search over them: what is solvable, and what is not."""

from __future__ import annotations

import itertools
import random
from collections import deque

from rockcreek.planning.validator.lists import Source
from rockcreek.planning.validator.model import Atom, Literal, Model, load

MOST_STATES = 4000


def draw(seed: int, *, plain: bool = False) -> tuple[str, str]:
    """A domain and a problem: two types, negative conditions, equality, costs, all by chance.

    `plain`: without the last three.
    """
    rng = random.Random(seed)
    predicates = [(f"p{n}", rng.choice(([], ["a"], ["b"], ["a", "b"]))) for n in range(3)]
    declared = " ".join(
        f"({name}{''.join(f' ?x{n} - {kind}' for n, kind in enumerate(kinds))})"
        for name, kinds in predicates
    )
    actions = "\n".join(
        _action(rng, number, predicates, plain=plain) for number in range(rng.randint(2, 4))
    )
    more = "" if plain else " :negative-preconditions :equality :action-costs"
    functions = "" if plain else "(:functions (total-cost) - number)"
    domain = f"""(define (domain tiny)
  (:requirements :strips :typing{more})
  (:types a b)
  (:predicates {declared})
  {functions}
{actions})
"""
    objects = {"a": ["a0", "a1"], "b": ["b0", "b1"][: rng.randint(1, 2)]}
    atoms = [
        f"({' '.join([name, *words])})"
        for name, kinds in predicates
        for words in itertools.product(*(objects[kind] for kind in kinds))
    ]
    init = [atom for atom in atoms if rng.random() < 0.4]
    goal = [
        atom if plain or rng.random() < 0.8 else f"(not {atom})"
        for atom in rng.sample(atoms, min(len(atoms), rng.randint(1, 3)))
    ]
    metric = "(:metric minimize (total-cost))" if not plain and rng.random() < 0.5 else ""
    start = "" if plain else "(= (total-cost) 0) "
    problem = f"""(define (problem tiny-{seed}) (:domain tiny)
  (:objects {" ".join(objects["a"])} - a {" ".join(objects["b"])} - b)
  (:init {start}{" ".join(init)})
  (:goal (and {" ".join(goal)})) {metric})
"""
    return domain, problem


def _action(
    rng: random.Random, number: int, predicates: list[tuple[str, list[str]]], *, plain: bool
) -> str:
    kinds = [rng.choice("ab") for _ in range(rng.randint(1, 2))]
    names = {kind: [f"?v{n}" for n, one in enumerate(kinds) if one == kind] for kind in "ab"}
    fitting = [(name, of) for name, of in predicates if all(names[kind] for kind in of)]

    def literal(negative: float) -> str:
        name, of = rng.choice(fitting)
        atom = f"({' '.join([name, *(rng.choice(names[kind]) for kind in of)])})"
        return f"(not {atom})" if rng.random() < negative else atom

    if not fitting:
        return f"  (:action act{number} :parameters () :precondition (and) :effect (and))"
    before = [literal(0 if plain else 0.4) for _ in range(rng.randint(0, 3))]
    if not plain and len(kinds) == 2 and kinds[0] == kinds[1] and rng.random() < 0.5:
        before.append(rng.choice(("(not (= ?v0 ?v1))", "(= ?v0 ?v1)")))
    effects = [literal(0.45) for _ in range(rng.randint(1, 3))]
    if not plain:
        effects.append(f"(increase (total-cost) {rng.randint(0, 4)})")
    parameters = " ".join(f"?v{n} - {kind}" for n, kind in enumerate(kinds))
    return (
        f"  (:action act{number} :parameters ({parameters})\n"
        f"    :precondition (and {' '.join(before)})\n    :effect (and {' '.join(effects)}))"
    )


def is_solvable(domain: str, problem: str) -> bool | None:
    """By breadth-first search; None: there are too many states."""
    model = load(Source("domain", domain), Source("problem", problem))
    actions = list(_ground(model))
    start = frozenset(model.start)
    seen, left = {start}, deque([start])
    while left:
        state = left.popleft()
        if all(_true(literal, state) for literal in model.goal):
            return True
        for before, effects in actions:
            if all(_true(literal, state) for literal in before):
                deleted = {one.atom for one in effects if one.negated}
                added = {one.atom for one in effects if not one.negated}
                after = (state - deleted) | added
                if after not in seen:
                    seen.add(after)
                    left.append(after)
        if len(seen) > MOST_STATES:
            return None
    return False


def _true(literal: Literal, state: frozenset[Atom]) -> bool:
    atom = literal.atom
    true = atom[1] == atom[2] if atom[0] == "=" else atom in state
    return true != literal.negated


def _ground(model: Model):
    for operator in model.operators.values():
        choices = [
            [name for name in model.objects if model.is_a(name, types)]
            for _, types in operator.parameters
        ]
        for words in itertools.product(*choices):
            binding = dict(zip((name for name, _ in operator.parameters), words, strict=True))

            def bound(literals, binding=binding):
                return [
                    Literal((one.atom[0], *(binding.get(w, w) for w in one.atom[1:])), one.negated)
                    for one in literals
                ]

            yield bound(operator.before), bound(operator.effects)
