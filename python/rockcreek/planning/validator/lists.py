"""PDDL's nested lists, each with the line and column where it begins."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from rockcreek.errors import InputError

_TOKEN = re.compile(r"(?P<skip>\s+|;[^\n]*)|[()]|[^\s();]+")


@dataclass
class Item:
    """A word, or a list of items (`word` is None then)."""

    word: str | None
    line: int
    column: int
    parts: list[Item] = field(default_factory=list)

    @property
    def head(self) -> str | None:
        """The word that a list begins with."""
        return self.parts[0].word if self.parts else None


@dataclass(frozen=True)
class Source:
    """A text and its name, for errors."""

    path: str
    text: str

    def error(self, at: Item, message: str) -> InputError:
        """An error with this message, and with path, line and column."""
        return InputError(f"{self.path}:{at.line}:{at.column}: {message}", path=self.path)

    def items(self) -> list[Item]:
        """All that the text holds, in small letters.

        >>> [part.word for part in Source("f", "(on A ; block\\n b)").items()[0].parts]
        ['on', 'a', 'b']
        """
        top = Item(None, 1, 1)
        lists = [top]
        line, start, at = 1, 0, 0
        while at < len(self.text):
            match = _TOKEN.match(self.text, at)
            assert match is not None  # every character is a part of some token
            token, column = match[0], at - start + 1
            if match.lastgroup == "skip":
                line += token.count("\n")
                start = at + token.rfind("\n") + 1 if "\n" in token else start
            elif token == "(":
                lists.append(Item(None, line, column))
                lists[-2].parts.append(lists[-1])
            elif token == ")":
                if len(lists) == 1:
                    raise self.error(Item(None, line, column), "a parenthesis closes nothing")
                lists.pop()
            else:
                lists[-1].parts.append(Item(token.lower(), line, column))
            at = match.end()
        if len(lists) > 1:
            raise self.error(lists[-1], "a parenthesis is never closed")
        return top.parts
