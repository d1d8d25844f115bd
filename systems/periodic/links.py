"""Virtual links: read, checked, as a table in C."""

from __future__ import annotations

from dataclasses import dataclass

from c_table import c_file
from statements import CORES, SetError, check_form, number, statements

# Of a core's 8 KB: 48 lines for the clock, one to begin.
LINK_ROOM = 8192 - 49 * 32
MOST_MESSAGE = 1536
MOST_ID = 65535
LINE = 32


@dataclass(frozen=True)
class Link:
    """A virtual link: one sender, some receivers."""

    core: int
    size: int
    gap: int
    targets: tuple[int, ...]


def parse_links(text: str) -> list[Link]:
    """The links; each receiver's MPB has room for them."""
    found: list[Link] = []
    room = dict.fromkeys(range(CORES), LINK_ROOM)
    ids = set()
    for _, words in statements(text, ("link",)):
        check_form(words, {2: "size", 4: "gap", 6: "to"}, 8, 7 + CORES)
        link, size, gap = (
            number(words, at, least, most)
            for at, least, most in ((1, 0, MOST_ID), (3, 1, MOST_MESSAGE), (5, 1, 1_000_000))
        )
        if link in ids:
            raise SetError(f"{words[1].place}: link {link} is there already")
        ids.add(link)
        core = link % CORES
        targets = [number(words, at, 0, MOST_ID) % CORES for at in range(7, len(words))]
        for word, target in zip(words[7:], targets, strict=True):
            if target == core:
                raise SetError(f"{word.place}: core {target} sends to itself")
            if targets.count(target) > 1:
                raise SetError(f"{word.place}: core {target} receives this link twice")
            room[target] -= 2 * LINE + -(-size // LINE) * LINE
            if room[target] < 0:
                raise SetError(f"{word.place}: the message buffer of core {target} is over-full")
        found.append(Link(core, size, gap, tuple(targets)))
    if not found:
        raise SetError("there is no link")
    return found


def load_mb_s(links: list[Link]) -> float:
    """What all receivers get, in MB/s."""
    return sum(link.size * len(link.targets) / link.gap for link in links)


def links_in_c(links: list[Link]) -> str:
    """The table that afdx.c includes: one row for each receiver of a link."""
    lines = ["#define FLOWS \\"]
    lines += [
        f"    {{{link.core}, {target}, {link.size}, {link.gap}}}, \\"
        for link in links
        for target in link.targets
    ]
    return c_file(lines)
