"""PDDL's nested lists, each with the line and column where it begins."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from pathlib import Path

from rockcreek.errors import InputError
from rockcreek.reading import documents

_TOKEN = re.compile(r"(?P<skip>\s+|;[^\r\n]*)|[()]|[^\s();]+")
_LINE_END = re.compile(r"\r\n?|\n")
_MARK = "\ufeff"  # of the byte order, which some editors write first
# Formulas nest a few levels; the planner's reader has this bound, too.
_MOST_DEPTH = 100


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

    @staticmethod
    def read(path: str | Path) -> Source:
        """A file. Comments may be in any encoding: all that counts is ASCII."""
        content = documents.data(path).removeprefix(codecs.BOM_UTF8)
        return Source(str(path), content.decode("latin-1"))

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
        line, start, at = 1, 0, len(self.text) - len(self.text.removeprefix(_MARK))
        while at < len(self.text):
            match = _TOKEN.match(self.text, at)
            assert match is not None  # every character is a part of some token
            token, column = match[0], at - start + 1
            if match.lastgroup == "skip":
                for end in _LINE_END.finditer(token):
                    line, start = line + 1, at + end.end()
            elif token == "(":
                if len(lists) > _MOST_DEPTH:
                    raise self.error(Item(None, line, column), "parentheses are nested too deep")
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
