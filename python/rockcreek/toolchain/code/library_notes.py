"""Removal of Clang's notes that quote the libraries' own headers.

A warning by `diagnose_if` says at the user's line what is wrong; its notes quote the condition and
the macros of the header that has it.
"""

from __future__ import annotations

import re

_COLOUR = r"(?:\x1b\[[0-9;]*m)*"
_HEAD = re.compile(
    rf"{_COLOUR}\S[^\n]*:\d+:\d+: {_COLOUR}(?P<kind>warning|error|fatal error|note): "
)
_COUNT = re.compile(r"\d+ (?:warning|error)s?\b.* generated\.")
_OF_A_CONDITION = re.compile(r"from 'diagnose_if' attribute on '")


def without_quotes(words: str) -> str:
    """The words of Clang without these notes, and without the lines of source below them."""
    kept, dropping = [], False
    for line in words.splitlines(keepends=True):
        head = _HEAD.match(line)
        if (head and head["kind"] != "note") or _COUNT.match(line):
            dropping = False
        elif head and _OF_A_CONDITION.search(line):
            dropping = True
        if not dropping:
            kept.append(line)
    return "".join(kept)
