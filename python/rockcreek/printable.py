"""Names in messages of `rck`: those that others have chosen, and those that a user may have meant.

A guest names files, a program its functions and sources, a file itself. Printed as they are, such
names could steer the user's terminal or look like a line of rck's own. What is written by `rck`
goes through here: `name` for each name where it comes in, `message` for each text that leaves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# Controls (C0, DEL, C1), ends of lines and paragraphs, what turns the direction of writing, and
# bytes that are no text, as Python has them in names of files.
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def name(text: str) -> str:
    r"""A name on one line, in characters that do nothing but show.

    >>> name("a\x1b[2Jb\nrck: done"), name("plain.c")
    ('a\\x1b[2Jb\\nrck: done', 'plain.c')
    """
    return _UNPRINTABLE.sub(_escaped, text)


def message(text: str) -> str:
    r"""A text of several lines, with nothing in it that steers a terminal.

    >>> message("one\n\ttwo\x1b[31m\r")
    'one\n\ttwo\\x1b[31m\\r'
    """
    return _UNPRINTABLE.sub(lambda found: found[0] if found[0] in "\n\t" else _escaped(found), text)


# Function, file and line, as far as they are known.
Place = tuple[str | None, str | None, int | None]


def with_words(text: str, words: Iterable[str]) -> str:
    r"""A message in which words of the command line are quoted, each on one line.

    >>> with_words("no file 'a\nrck: done'\nhint: look", ["a\nrck: done"])
    "no file 'a\\nrck: done'\nhint: look"
    """
    parts = {part for word in words for part in (word, word.partition("=")[2])}
    for part in sorted(parts, key=len, reverse=True):
        if (shown := name(part)) != part:
            text = text.replace(part, shown).replace(message(part), shown)
    return message(text)


def place(found: Place) -> Place:
    """Function, file and line, as the debug information of a program names them."""
    function, file, line = found
    return function and name(function), file and name(file), line


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()


def nearest(word: str, known: list[str]) -> str:
    """`; did you mean 'run'?`, or nothing."""
    import difflib

    match = difflib.get_close_matches(word, known, n=1)
    return f"; did you mean '{match[0]}'?" if match else ""
