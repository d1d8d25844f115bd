"""What a domain and a problem say, as far as a plan is checked against it.

The planner's reader is strict and says what it does not support; this one reads what the planner
accepts, and its own errors name file, line and column as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from rockcreek.planning.validator.lists import Item, Source

Atom = tuple[str, ...]
_WHOLE = re.compile(r"[0-9]{1,9}(\.0*)?")


@dataclass(frozen=True)
class Literal:
    """An atom, perhaps of parameters, or its negation."""

    atom: Atom
    negated: bool


@dataclass
class Operator:
    """An action with parameters."""

    parameters: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    before: list[Literal] = field(default_factory=list)
    effects: list[Literal] = field(default_factory=list)
    costs: list[int | Atom] = field(default_factory=list)


@dataclass
class Model:
    """Domain and problem together."""

    above: dict[str, set[str]] = field(default_factory=dict)  # types right above a type
    objects: dict[str, tuple[str, ...]] = field(default_factory=dict)
    operators: dict[str, Operator] = field(default_factory=dict)
    start: set[Atom] = field(default_factory=set)
    values: dict[Atom, int] = field(default_factory=dict)
    goal: list[Literal] = field(default_factory=list)
    counts_cost: bool = False  # else the number of actions

    def is_a(self, name: str, wanted: tuple[str, ...]) -> bool:
        """Whether an object has one of these types, or a type below one."""
        left, seen = list(self.objects[name]), set()
        while left:
            one = left.pop()
            if one in wanted or "object" in wanted:
                return True
            if one not in seen:
                seen.add(one)
                left += self.above.get(one, ())
        return False


def load(domain: Source, problem: Source) -> Model:
    """Both texts."""
    model = Model()
    for source in (domain, problem):
        items = source.items()
        if not items or items[0].head != "define":
            where = items[0] if items else Item(None, 1, 1)
            raise source.error(where, "PDDL begins with (define")
        for part in items[0].parts[2:]:
            _part(model, source, part)
    return model


def _part(model: Model, source: Source, part: Item) -> None:
    rest = part.parts[1:]
    if part.head == ":types":
        for name, types in _typed(source, rest):
            model.above.setdefault(name, set()).update(types)
    elif part.head in (":constants", ":objects"):
        model.objects.update(_typed(source, rest))
    elif part.head == ":action":
        _operator(model, source, part)
    elif part.head == ":init":
        for item in rest:
            _initial(model, source, item)
    elif part.head == ":goal":
        for item in rest:
            model.goal += _literals(source, item)
    elif part.head == ":metric":
        model.counts_cost = True


def _typed(source: Source, items: list[Item]) -> Iterator[tuple[str, tuple[str, ...]]]:
    names: list[str] = []
    at = 0
    while at < len(items):
        if items[at].word == "-":
            if at + 1 == len(items):
                raise source.error(items[at], "a type should stand behind '-'")
            kind = items[at + 1]
            types = tuple(_words(source, kind)[1:]) if kind.word is None else (kind.word,)
            yield from ((name, types) for name in names)
            names, at = [], at + 2
            continue
        names.append(_word(source, items[at]))
        at += 1
    yield from ((name, ("object",)) for name in names)


def _word(source: Source, item: Item) -> str:
    if item.word is None:
        raise source.error(item, "a word should stand here")
    return item.word


def _words(source: Source, item: Item) -> Atom:
    return tuple(_word(source, part) for part in item.parts)


def _number(source: Source, item: Item) -> int:
    word = _word(source, item)
    if not _WHOLE.fullmatch(word):
        raise source.error(item, f"'{word}' is no cost: a whole number should stand here")
    return int(word.partition(".")[0])


def _atom(source: Source, item: Item) -> Atom:
    words = _words(source, item)
    if not words or (words[0] == "=" and len(words) != 3):
        raise source.error(item, "an atom such as (on a b) or (= a b) should stand here")
    return words


def _literals(source: Source, item: Item) -> list[Literal]:
    if item.head == "and":
        return [literal for part in item.parts[1:] for literal in _literals(source, part)]
    if item.head == "not" and len(item.parts) == 2:
        return [Literal(_atom(source, item.parts[1]), True)]
    return [Literal(_atom(source, item), False)] if item.parts else []


def _initial(model: Model, source: Source, item: Item) -> None:
    if item.head == "=" and len(item.parts) == 3 and item.parts[1].word is None:
        model.values[_words(source, item.parts[1])] = _number(source, item.parts[2])
    elif item.head != "not":
        model.start.add(_atom(source, item))


def _operator(model: Model, source: Source, part: Item) -> None:
    operator = Operator()
    if len(part.parts) < 2:
        raise source.error(part, "an action has a name")
    pairs = zip(part.parts[2::2], part.parts[3::2], strict=False)
    for key, value in pairs:
        if key.word == ":parameters":
            operator.parameters = list(_typed(source, value.parts))
        elif key.word == ":precondition":
            operator.before = _literals(source, value)
        elif key.word == ":effect":
            _effect(source, value, operator)
    model.operators[_word(source, part.parts[1])] = operator


def _effect(source: Source, item: Item, operator: Operator) -> None:
    if item.head == "and":
        for part in item.parts[1:]:
            _effect(source, part, operator)
    elif item.head == "increase":
        amount = item.parts[-1]
        operator.costs.append(
            _atom(source, amount) if amount.word is None else _number(source, amount)
        )
    else:
        operator.effects += _literals(source, item)
