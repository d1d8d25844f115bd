"""Links and sections of a Markdown text, as far as the site needs them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath

FENCE = re.compile(r"^(```|~~~).*?^\1[ \t]*$", re.M | re.S)
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
# Not within a code span, nor a block of code.
_CODE = re.compile(r"(^(?:```|~~~).*?^(?:```|~~~)[ \t]*$|`[^`\n]+`)", re.M | re.S)


def prose(text: str) -> str:
    """What is read word by word: no code, no tables, which people look things up in."""
    lines = FENCE.sub("", text).splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith("|"))


def map_links(text: str, change: Callable[[str, str, str], str]) -> str:
    """The text with each link outside code as `change(mark, words, target)` writes it; the mark
    is `!` for a picture."""
    # Code goes out of the way and comes back: a code span may stand in a link's words.
    parts = _CODE.split(text)
    joined = "".join(part if i % 2 == 0 else f"\0{i}\0" for i, part in enumerate(parts))

    def restore(piece: str) -> str:
        return re.sub("\0(\\d+)\0", lambda found: parts[int(found[1])], piece)

    changed = _LINK.sub(
        lambda found: change(found[1], restore(found[2]), restore(found[3])), joined
    )
    return restore(changed)


def targets(text: str) -> list[str]:
    """Where a text's links lead.

    >>> targets("[a](b.md#c) and `[no](link)` ![p](p.png)")
    ['b.md#c', 'p.png']
    """
    found: list[str] = []

    def keep(mark: str, words: str, target: str) -> str:
        found.append(target)
        return f"{mark}[{words}]({target})"

    map_links(text, keep)
    return found


def relink(text: str, page: str, places: Mapping[str, str]) -> str:
    """A page's text for the site: links between files of the repository become links between
    `places`; one to a file that is not on the site becomes its path, as code.

    >>> places = {"docs/a.md": "a.md", "b.md": "q/b.md"}
    >>> relink("[x](../b.md#y) [z](../src/z.js)", "docs/a.md", places)
    '[x](q/b.md#y) z (`src/z.js`)'
    """
    here = PurePosixPath(page).parent

    def change(mark: str, words: str, target: str) -> str:
        path, _, anchor = target.partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return f"{mark}[{words}]({target})"
        wanted = os.path.normpath(here / path)
        place = places.get(wanted, places.get(f"{wanted}/README.md"))
        if place is None:
            plain = words.strip("`")
            return f"`{wanted}`" if plain in (wanted, path) else f"{words} (`{wanted}`)"
        start = PurePosixPath(places[page]).parent
        fresh = os.path.relpath(place, start)
        return f"{mark}[{words}]({fresh}{'#' + anchor if anchor else ''})"

    return map_links(text, change)


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub and MyST make it.

    >>> slug("Locks: `a`, b")
    'locks-a-b'
    """
    kept = re.sub(r"[^\w\- ]", "", heading.replace("`", "").strip().lower())
    return kept.replace(" ", "-")


def headings(text: str) -> Iterator[tuple[int, str]]:
    """Level and words of each heading."""
    for line in FENCE.sub("", text).splitlines():
        found = re.match(r"(#+) +(.*?)\s*$", line)
        if found:
            yield len(found[1]), found[2]
