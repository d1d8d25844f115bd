"""How doc comments begin: with what the thing is, not with a word that stands for something else.

A reader meets a doc comment alone, in a list of names or above a declaration. "It", "The same" or
"That of" send him elsewhere for its subject.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

from house.files import PYTHON, RUST, House

BANNED = re.compile(
    r"(?:The same|That of|Such|Of the|It|Its|They|Their|Them|He|She|His|Her|Those|These|That"
    r"|This (?:is|was|has|does|means|can|must))\b"
)
_RUST_DOC = re.compile(r"^[ \t]*(//[/!])(?!/)[ \t]?(.*)$")
# A comment that stands before something: at the beginning of a line, not beside code.
_C_DOC = re.compile(r"^[ \t]*/\*+\s*(?:\*\s*)?(\S[^\n]*)|^((?:[ \t]*//[^\n]*\n)+)", re.M)


def banned(house: House) -> dict[str, int]:
    """How many doc comments of each file begin with a banned word."""
    return {
        path: count
        for path in house.code()
        if not path.endswith(".S") and (count := _banned(path, house.text(path)))
    }


@cache
def _banned(path: str, text: str) -> int:
    return sum(BANNED.match(beginning) is not None for beginning in beginnings(path, text))


def beginnings(path: str, text: str) -> Iterator[str]:
    """The first line of each doc comment of a file."""
    if path.endswith(PYTHON):
        yield from _docstrings(text)
    elif path.endswith(RUST):
        yield from _rust_docs(text)
    else:
        for found in _C_DOC.finditer(text):
            line = found[1] or found[2].lstrip(" \t/").split("\n")[0]
            yield line


def _docstrings(text: str) -> Iterator[str]:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, kinds):
            yield ast.get_docstring(node) or ""


def _rust_docs(text: str) -> Iterator[str]:
    inside = False
    for line in text.splitlines():
        found = _RUST_DOC.match(line)
        if found and not inside:
            yield found[2]
        inside = found is not None
