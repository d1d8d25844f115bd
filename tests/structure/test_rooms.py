"""The folders of the project as rooms: what each may import, and that it says what it is for.

`rooms.toml` is the one table. An import that it does not allow fails, and so does a line of it that
no import needs, a circle in it, a room that is not in it, a room with too many files, and one whose
first lines do not say what lives there.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from room_imports import FACES, edges, sources

ROOT = Path(__file__).resolve().parents[2]
MOST_FILES = 16
SUFFIX = {"rust": (".rs",), "python": (".py",), "c": (".c", ".h", ".S")}


@dataclass(frozen=True)
class Tree:
    """One tree of rooms: a folder, its language, and for each room those that it may import."""

    root: str
    language: str
    rooms: dict[str, list[str]]
    large: dict[str, str]
    whole: dict[str, str]

    @property
    def folder(self) -> Path:
        return ROOT / self.root

    def room(self, folder: str) -> str:
        """The room that the folder lies in: itself, but for the parts of a whole one."""
        return next((room for room in self.whole if folder.startswith(f"{room}/")), folder)


def read_trees() -> list[Tree]:
    table = tomllib.loads((Path(__file__).parent / "rooms.toml").read_text(encoding="utf-8"))
    return [
        Tree(
            entry["root"],
            entry["language"],
            entry["rooms"],
            entry.get("large", {}),
            entry.get("whole", {}),
        )
        for entry in table["tree"]
    ]


TREES = read_trees()
each_tree = pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.root)


def files_of(tree: Tree) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for path in sources(tree.folder, SUFFIX[tree.language]):
        found.setdefault(str(path.parent.relative_to(tree.folder)), []).append(path)
    return found


def imports_of(tree: Tree) -> dict[tuple[str, str], set[str]]:
    found: dict[tuple[str, str], set[str]] = {}
    for source, target, path in edges(tree.folder, tree.language):
        importer, imported = tree.room(source), tree.room(target)
        if importer != imported:
            found.setdefault((importer, imported), set()).add(str(path.relative_to(ROOT)))
    return found


@each_tree
def test_rooms_are_in_the_table(tree: Tree) -> None:
    assert sorted({tree.room(folder) for folder in files_of(tree)}) == sorted(tree.rooms)


@each_tree
def test_imports_go_the_allowed_ways(tree: Tree) -> None:
    wrong = [
        f"{importer} imports {imported}: {', '.join(sorted(files)[:4])}"
        for (importer, imported), files in sorted(imports_of(tree).items())
        if imported not in tree.rooms[importer]
    ]
    assert not wrong, "\n".join(wrong)


@each_tree
def test_the_table_has_no_more_than_what_is_used(tree: Tree) -> None:
    used = imports_of(tree)
    spare = [
        f"{importer} -> {imported}"
        for importer, allowed in tree.rooms.items()
        for imported in allowed
        if (importer, imported) not in used
    ]
    assert not spare, "\n".join(spare)


@each_tree
def test_no_circle(tree: Tree) -> None:
    """Neither between rooms nor between the folders that hold them, at any depth."""
    depth = max(room.count("/") for room in tree.rooms) + 1
    for level in range(1, depth + 1):
        graph: dict[str, set[str]] = {}
        for room, allowed in tree.rooms.items():
            outer = at_level(room, level)
            graph.setdefault(outer, set()).update(
                at_level(other, level) for other in allowed if at_level(other, level) != outer
            )
        circle = find_circle(graph)
        assert circle is None, f"{tree.root}, level {level}: {' -> '.join(circle)}"


def at_level(room: str, level: int) -> str:
    return "/".join(room.split("/")[:level])


def find_circle(graph: dict[str, set[str]]) -> list[str] | None:
    done: set[str] = set()

    def visit(room: str, path: list[str]) -> list[str] | None:
        if room in path:
            return [*path[path.index(room) :], room]
        if room in done:
            return None
        for other in sorted(graph.get(room, ())):
            circle = visit(other, [*path, room])
            if circle:
                return circle
        done.add(room)
        return None

    return next(filter(None, (visit(room, []) for room in sorted(graph))), None)


def test_a_circle_is_found() -> None:
    assert find_circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert find_circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) is None


@each_tree
def test_rooms_are_small(tree: Tree) -> None:
    for room, paths in files_of(tree).items():
        members = [path for path in paths if path.stem not in FACES]
        assert (len(members) > MOST_FILES) == (room in tree.large), f"{room}: {len(members)} files"


@each_tree
def test_rooms_say_what_lives_there(tree: Tree) -> None:
    """At least two lines in `mod.rs`, `__init__.py` or a README."""
    for room in files_of(tree):
        folder = tree.folder / room
        if tree.language == "c":
            lines = (folder / "README.md").read_text(encoding="utf-8").splitlines()
        else:
            face = next(path for name in FACES for path in folder.glob(f"{name}.*"))
            lines = head_lines(face)
        assert len([line for line in lines if len(line) > 20]) >= 2, folder


def head_lines(face: Path) -> list[str]:
    text = face.read_text(encoding="utf-8")
    if face.suffix == ".rs":
        return [line for line in text.splitlines() if line.startswith("//!")]
    return text.split('"""')[1].splitlines() if text.startswith('"""') else []
