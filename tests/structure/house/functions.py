"""How long functions are: Python by its syntax tree, Rust, C and C++ by braces."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache

from house.files import PYTHON, RUST, House

MOST_LINES = 70
# Comments, texts and characters: braces in them are none. Rust's lifetimes are no characters.
_RUST_NOISE = re.compile(
    r"//[^\n]*|/\*.*?\*/|b?r(#*)\".*?\"\1|b?\"(?:\\.|[^\"\\])*\"|b?'(?:\\.[^']*|[^'\\])'", re.S
)
_C_NOISE = re.compile(
    r"//[^\n]*|/\*.*?\*/|R\"(\w*)\(.*?\)\1\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'"
    r"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*",
    re.S | re.M,
)
# `x{1}`: a value, which may stand between a constructor's head and its body.
_VALUE = re.compile(r"(?<=\w)\{[^{};]*\}")
_RUST_HEAD = re.compile(r"\bfn\s+(\w+)[^;{}]*$")
# A name and its parameters before the brace, with what C++ puts between them.
_C_HEAD = re.compile(
    r"([\w~]+(?:\s*(?:=|==|\(\)|\[\]|[+\-*/<>!]))?)\s*"
    r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
    r"(?:\s|const|noexcept|override|final|mutable|->\s*[\w:<>&* ]+"
    r"|:\s*[^;{}]*(?:\{[^{}]*\}[^;{}]*)*|__attribute__\s*\(\(.*?\)\))*$",
    re.S,
)
_CONTROL = {"if", "for", "while", "switch", "catch", "return", "sizeof", "defined"}


def too_long(house: House) -> dict[str, int]:
    """How many functions of each file are longer than they should be."""
    return {path: count for path in house.code() if (count := _too_long(path, house.text(path)))}


@cache
def _too_long(path: str, text: str) -> int:
    return sum(lines > MOST_LINES for _, lines in functions(path, text))


def functions(path: str, text: str) -> Iterator[tuple[str, int]]:
    """Name and lines of each function of a file, first to last line."""
    if path.endswith(PYTHON):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1
    elif path.endswith(RUST):
        yield from _braced(_RUST_NOISE.sub(_lines_of, text), _rust_name)
    elif not path.endswith(".S"):
        plain = _VALUE.sub(_lines_of, _C_NOISE.sub(_lines_of, text))
        yield from _braced(plain, _c_name)


def _lines_of(noise: re.Match[str]) -> str:
    """The line ends of what is taken out, so that lines keep their numbers."""
    return "\n" * noise.group().count("\n") or " "


def _braced(text: str, name_of: Callable[[str], str | None]) -> Iterator[tuple[str, int]]:
    """Each outermost block that is a function's body."""
    stack: list[tuple[str | None, int]] = []
    inside = 0
    last = 0
    for found in re.finditer(r"[{};]", text):
        at, mark = found.start(), found.group()
        if mark == "{":
            head = text[last:at]
            name = None if inside else name_of(head)
            # A head is one paragraph; what macros declare above it is not its.
            first = last + max(head.rstrip().rfind("\n\n") + 2, len(head) - len(head.lstrip()))
            stack.append((name, text.count("\n", 0, first)))
            inside += name is not None
        elif mark == "}" and stack:
            name, begun = stack.pop()
            if name is not None:
                inside -= 1
                yield name, text.count("\n", 0, at) - begun + 1
        last = at + 1


def _rust_name(head: str) -> str | None:
    found = _RUST_HEAD.search(head)
    return found[1] if found else None


def _c_name(head: str) -> str | None:
    if "(" not in head or head.lstrip().startswith(("struct ", "enum ", "typedef ")):
        return None
    found = _C_HEAD.search(head)
    name = found[1] if found else None
    return None if name in _CONTROL else name
