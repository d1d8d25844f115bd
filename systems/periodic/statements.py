"""Statements of a text, a line each; what is wrong is named by line and column."""

from __future__ import annotations

import re
from collections.abc import Iterator

CORES = 48
FORMS = {
    "unit": "unit N us (or ms)",
    "task": "task NAME core N period N wcet N offset N deadline N",
    "message": "message FROM -> TO word 1000",
    "link": "link ID size BYTES gap US to ID ...",
}


class SetError(Exception):
    """What is wrong with a file, and where."""


class Word(str):
    """A word of a statement, and where it stands."""

    place: str


def statements(text: str, kinds: tuple[str, ...]) -> Iterator[tuple[int, list[Word]]]:
    """Lines that are not empty, by number; each is of one of `kinds`."""
    for line, statement in enumerate(text.splitlines(), 1):
        words = []
        for match in re.finditer(r"\S+", statement.split("#")[0]):
            word = Word(match[0])
            word.place = f"line {line}, column {match.start() + 1}"
            words.append(word)
        if words and words[0] not in kinds:
            raise SetError(
                f"{words[0].place}: a statement begins with {' or '.join(kinds)}, not '{words[0]}'"
            )
        if words:
            yield line, words


def check_form(words: list[Word], fixed: dict[int, str], least: int, most: int) -> None:
    """The fixed words stand where the form of the statement has them."""
    form = f"the form is '{FORMS[words[0]]}'"
    for at, key in fixed.items():
        if at < len(words) and words[at] != key:
            raise SetError(
                f"{words[at].place}: '{key}' should stand here, not '{words[at]}'; {form}"
            )
    if len(words) < least:
        raise SetError(f"{words[-1].place}: something is missing behind '{words[-1]}'; {form}")
    if len(words) > most:
        raise SetError(f"{words[most].place}: '{words[most]}' is too much; {form}")


def number(words: list[Word], at: int, least: int, most: int) -> int:
    """The number at this place, within limits."""
    word = words[at]
    if not (word.isascii() and word.isdecimal() and least <= int(word) <= most):
        before = words[at - 1] if not words[at - 1].isdecimal() else "a receiver"
        raise SetError(
            f"{word.place}: {before} is a number from {least} to {most} here, not '{word}'"
        )
    return int(word)
