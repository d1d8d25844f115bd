"""Which crate builds upon which: the table `[crates]` of `rooms.toml`."""

from __future__ import annotations

import re
import tomllib

from house.files import House
from house.rooms import TABLE

_DEPENDENCY = re.compile(r"^rockcreek-(\w+)", re.M)


def read_crates() -> dict[str, list[str]]:
    table: dict[str, list[str]] = tomllib.loads(TABLE.read_text(encoding="utf-8"))["crates"]
    return table


def wrong_crates(house: House, table: dict[str, list[str]]) -> list[str]:
    """Crates whose dependencies are not those of the table, and crates that it lacks."""
    used = {
        path.split("/")[1]: sorted(_DEPENDENCY.findall(_dependencies(house.text(path))))
        for path in house.paths
        if re.fullmatch(r"crates/\w+/Cargo\.toml", path)
    }
    return [
        f"{crate}: builds upon {used.get(crate)}, the table says {table.get(crate)}"
        for crate in sorted({*used, *table})
        if used.get(crate) != table.get(crate)
    ]


def _dependencies(manifest: str) -> str:
    """What the crate itself needs, without what its tests need."""
    return manifest.split("[dev-dependencies]", maxsplit=1)[0]


def below(table: dict[str, list[str]], crate: str) -> set[str]:
    """All crates that a crate reaches."""
    seen: set[str] = set()
    open_ends = [*table[crate]]
    while open_ends:
        other = open_ends.pop()
        if other not in seen:
            seen.add(other)
            open_ends += table[other]
    return seen
