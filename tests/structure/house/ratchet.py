"""Today's offenders, `ratchet.toml`: for each rule how often each path breaks it.

A list may only get shorter. A count that rises is an offence; one that falls is one too, until the
list says so, so that nothing can rise again unseen.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

from house import comments, functions, libraries, rooms, signatures
from house.files import House

FILE = Path(__file__).parents[1] / "ratchet.toml"
Counts = Mapping[str, int]
Rule = Callable[[House], Counts]

RULES: dict[str, Rule] = {
    "crowded_rooms": lambda house: rooms.crowded(house, rooms.read_trees()),
    "silent_rooms": lambda house: rooms.silent(house, rooms.read_trees()),
    "circles": lambda _: rooms.circles(rooms.read_trees()),
    "long_functions": functions.too_long,
    "comment_beginnings": comments.banned,
    "weak_symbols": libraries.weak_symbols,
    "extern_functions": libraries.extern_functions,
    "own_ways": libraries.own_ways,
    "tuple_parameters": signatures.tuple_parameters,
    "any_dicts": signatures.any_dicts,
}
MEANING = {
    "crowded_rooms": f"more than {rooms.MOST_FILES} files in a room, and how many",
    "silent_rooms": "rooms that do not say in two lines what lives there",
    "circles": "rooms that import each other in a circle, and how many",
    "long_functions": f"functions of more than {functions.MOST_LINES} lines, by file",
    "comment_beginnings": "doc comments that begin with a pronoun, The same, That of, Such, Of the",
    "weak_symbols": "weak symbols by which a system asks whether another library is linked",
    "extern_functions": "functions that a source of a library declares itself, without a header",
    "own_ways": "ways to the chip and the kernel that guest/scc alone should know, by file",
    "tuple_parameters": "parameters that are tuples, and tuples of the engine without a name",
    "any_dicts": "dict[str, Any] in the package: what has no names for its parts",
}


def listed() -> dict[str, Counts]:
    """The list, by rule."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def risen(found: Counts, allowed: Counts) -> list[str]:
    """Where a rule is broken more often than the list allows."""
    return [
        f"{path}: {count}, {allowed.get(path, 0)} allowed"
        for path, count in found.items()
        if count > allowed.get(path, 0)
    ]


def fallen(found: Counts, allowed: Counts) -> list[str]:
    """Where the list allows more than there is."""
    return [
        f"{path}: {found.get(path, 0)}, {count} allowed"
        for path, count in allowed.items()
        if found.get(path, 0) < count
    ]


def text_of(counts: Mapping[str, Counts]) -> str:
    """The list as a file."""
    lines = [
        "# What breaks the house rules, by rule and path. A list may only get shorter: a count",
        "# that rises fails a test, and so does one that falls until it is written here:",
        "# `python tests/structure/lower_ratchet.py`.",
    ]
    for rule, found in counts.items():
        lines += ["", f"# {MEANING[rule]}", f"[{rule}]"]
        lines += [f'"{path}" = {count}' for path, count in sorted(found.items())]
    return "\n".join(lines) + "\n"
