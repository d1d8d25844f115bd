"""The folders of the project as rooms: `rooms.toml`, and what stands against it.

A tree is a folder whose folders are rooms. Every folder with code is a room of some tree, but for
tests. An import that the table does not allow is an offence, and so is a line of it that no import
needs, a room that is not in it, and one that is in it and not there.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from house.files import House
from house.imports import FACES, edges

TABLE = Path(__file__).parents[1] / "rooms.toml"
MOST_FILES = 15


@dataclass(frozen=True)
class Tree:
    """One tree of rooms: its language is that of its imports."""

    root: str
    language: str
    rooms: Mapping[str, list[str]]
    large: Mapping[str, str] = field(default_factory=dict)
    whole: Mapping[str, str] = field(default_factory=dict)

    def room(self, folder: str) -> str:
        """The room that the folder lies in: itself, but for the parts of a whole one."""
        return next((room for room in self.whole if folder.startswith(f"{room}/")), folder)

    def files(self, house: House) -> dict[str, list[str]]:
        """The tree's code by folder, without tests."""
        return {
            str(PurePosixPath(folder).relative_to(self.root)): paths
            for folder, paths in house.production.items()
            if folder == self.root or folder.startswith(f"{self.root}/")
        }

    def imports(self, house: House) -> dict[tuple[str, str], set[str]]:
        """Which room imports which, and in which files."""
        paths = tuple(path for found in self.files(house).values() for path in found)
        found: dict[tuple[str, str], set[str]] = {}
        for source, target, path in edges(house, self.root, self.language, paths):
            importer, imported = self.room(source), self.room(target)
            if importer != imported:
                found.setdefault((importer, imported), set()).add(path)
        return found


def read_trees() -> list[Tree]:
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return [Tree(**entry) for entry in table["tree"]]


def homeless(house: House, trees: list[Tree]) -> list[str]:
    """Folders of code that lie in no tree."""
    return [
        folder
        for folder in house.production
        if not any(folder == tree.root or folder.startswith(f"{tree.root}/") for tree in trees)
    ]


def wrong_rooms(house: House, tree: Tree) -> list[str]:
    """Rooms that are missing in the table, or are in it and not there."""
    there = {tree.room(folder) for folder in tree.files(house)}
    return [
        *(f"{room}: is not in the table" for room in sorted(there - set(tree.rooms))),
        *(f"{room}: is not there" for room in sorted(set(tree.rooms) - there)),
    ]


def forbidden_imports(house: House, tree: Tree) -> list[str]:
    """Imports that the table does not allow."""
    return [
        f"{importer} imports {imported}: {', '.join(sorted(files)[:4])}"
        for (importer, imported), files in sorted(tree.imports(house).items())
        if imported not in tree.rooms.get(importer, [])
    ]


def spare_lines(house: House, tree: Tree) -> list[str]:
    """What the table allows and no import needs."""
    used = tree.imports(house)
    return [
        f"{importer} -> {imported}"
        for importer, allowed in tree.rooms.items()
        for imported in allowed
        if (importer, imported) not in used
    ]


def crowded(house: House, trees: list[Tree]) -> dict[str, int]:
    """Rooms with more files than a room should have, and no reason for it, and how many."""
    return {
        f"{tree.root}/{room}".removesuffix("/."): count
        for tree in trees
        for room, paths in tree.files(house).items()
        if (count := len([path for path in paths if PurePosixPath(path).stem not in FACES]))
        > MOST_FILES
        and room not in tree.large
    }


def silent(house: House, trees: list[Tree]) -> dict[str, int]:
    """Rooms of which nothing says what lives there: neither two lines of their own (`mod.rs`,
    `__init__.py`, a README, a study's description) nor a line of a README above them. A folder
    `include` is what its library shows."""
    return {
        f"{tree.root}/{room}".removesuffix("/."): 1
        for tree in trees
        for room in tree.files(house)
        if "include" not in room.split("/")
        and not _speaks(house, PurePosixPath(tree.root, room), PurePosixPath(tree.root))
    }


def _speaks(house: House, folder: PurePosixPath, root: PurePosixPath) -> bool:
    faces = [folder / f"{face}{end}" for face in FACES for end in (".rs", ".py")]
    own = [folder / "README.md", folder / "study.toml", folder.with_suffix(".rs"), *faces]
    lines = [
        line
        for path in own
        if str(path) in house.paths
        for line in _head(house.text(str(path)), path.suffix)
        if len(line) > 20
    ]
    return len(lines) >= 2 or any(
        re.search(rf"`{re.escape(name)}(?:/[^`]*)?`.{{12}}", house.text(readme))
        for above in folder.parents
        if (readme := str(above / "README.md")) in house.paths
        # What all libraries of a tree have (`programs`) stands once in the tree's own README.
        for name in (str(folder.relative_to(above)), *([folder.name] if above == root else []))
    )


def _head(text: str, suffix: str) -> list[str]:
    if suffix == ".rs":
        return re.findall(r"^//!.*", text, re.M)
    if suffix == ".py":
        return text.split('"""')[1].splitlines() if text.startswith('"""') else []
    return text.splitlines()


def circles(trees: list[Tree]) -> dict[str, int]:
    """Rooms that import each other in a circle, at any depth of folders: by the place of the
    circle, how many."""
    found: dict[str, int] = {}
    for tree in trees:
        for level in range(1, max(room.count("/") for room in tree.rooms) + 2):
            for circle in _strongly_connected(_graph(tree, level)):
                place = "/".join([tree.root, *_common(sorted(circle))])
                found[place] = max(found.get(place, 0), len(circle))
    return found


def _graph(tree: Tree, level: int) -> dict[str, set[str]]:
    """Who imports whom among the folders of this depth."""

    def outer(room: str) -> str:
        return "/".join(room.split("/")[:level])

    graph: dict[str, set[str]] = {}
    for room, allowed in tree.rooms.items():
        targets = {outer(other) for other in allowed if outer(other) != outer(room)}
        graph.setdefault(outer(room), set()).update(targets)
    return graph


def _strongly_connected(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """The sets of two and more that reach each other."""
    reach = {room: _reached(graph, room) for room in graph}
    sets = {
        frozenset({other for other in reach[room] if room in reach.get(other, set())} | {room})
        for room in graph
    }
    return [set(found) for found in sets if len(found) > 1]


def _reached(graph: Mapping[str, set[str]], room: str) -> set[str]:
    seen: set[str] = set()
    open_ends = [*graph[room]]
    while open_ends:
        other = open_ends.pop()
        if other not in seen:
            seen.add(other)
            open_ends += graph.get(other, ())
    return seen


def _common(rooms: list[str]) -> list[str]:
    """The folders that all these rooms lie in."""
    parts = [room.split("/") for room in rooms]
    common = []
    for names in zip(*parts, strict=False):
        if len(set(names)) > 1:
            break
        common.append(names[0])
    return common
