"""Who imports whom: the imports of Rust, Python and C files, by folder.

A *room* is a folder of a tree. An import counts from the room of the file that has it to the
room of what it names. What a room's own `mod.rs`, `lib.rs` or `__init__.py` only passes on
(`pub use`, imports of its own children) is no import: it says what the room shows.
"""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterator
from functools import cache
from pathlib import PurePosixPath

from house.files import C, House

Module = tuple[str, ...]
Edge = tuple[str, str, str]
# Files that stand for their folder.
FACES = {"mod", "lib", "main", "__init__"}
TESTS = re.compile(r"^#\[cfg\(test\)\]\n(?:pub(?:\(\w+\))? )?mod tests \{", re.M)
RUST_PATH = re.compile(r"(?<![\w:])(crate|super|self)((?:::super)*)::(?=[\w{*])")


def room_of(module: Module, is_face: bool) -> str:
    """The folder of a module, `.` for the root of its tree."""
    return "/".join(module if is_face else module[:-1]) or "."


def edges(house: House, root: str, language: str, paths: tuple[str, ...]) -> Iterator[Edge]:
    """(importing room, imported room, file) for each import within the tree."""
    if language == "c":
        yield from c_edges(house, root, paths)
        return
    suffix = {"rust": ".rs", "python": ".py"}[language]
    # `python -m` starts at `__main__`: no room imports it, and it may start any.
    own = [PurePosixPath(path) for path in paths if path.endswith(suffix)]
    files = {module_of(path, root): path for path in own if path.stem != "__main__"}
    for module, path in files.items():
        is_face = path.stem in FACES
        text = house.text(str(path))
        targets = (
            rust_targets(text, module)
            if language == "rust"
            else python_targets(text, module, is_face, PurePosixPath(root).name)
        )
        for target, passed_on in targets:
            found = longest(target, files)
            if found is None or (is_face and passed_on and found[: len(module)] == module):
                continue
            yield room_of(module, is_face), room_of(found, files[found].stem in FACES), str(path)


def module_of(path: PurePosixPath, root: str) -> Module:
    parts = path.relative_to(root).with_suffix("").parts
    return parts[:-1] if parts[-1] in FACES else parts


def longest(target: Module, files: dict[Module, PurePosixPath]) -> Module | None:
    """The file that a path leads into: its longest beginning that is one."""
    for length in range(len(target), -1, -1):
        if target[:length] in files:
            return target[:length]
    return None


def rust_targets(text: str, module: Module) -> Iterator[tuple[Module, bool]]:
    """Paths that a Rust file names, and whether it only passes them on."""
    text = without_comments(text)
    tests = TESTS.search(text)
    text = text[: tests.start()] if tests else text
    for match in RUST_PATH.finditer(text):
        base: Module = {"crate": (), "self": module, "super": module[:-1]}[match.group(1)]
        base = base[: len(base) - match.group(2).count("super")]
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        passed_on = re.match(r"\s*pub(\([\w ]+\))? use\b", line) is not None
        for names in tree(text, match.end())[0]:
            yield base + names, passed_on


def tree(text: str, at: int) -> tuple[list[Module], int]:
    """The paths of a `use` tree that begins here, and where it ends."""
    if text[at] == "{":
        found: list[Module] = []
        at += 1
        while True:
            at += len(re.match(r"(?:\s|,|as\s+\w+)*", text[at:]).group())  # type: ignore[union-attr]
            if text[at] == "}":
                return found, at + 1
            inner, at = tree(text, at)
            found += inner
    word = re.match(r"\w+|\*", text[at:])
    if word is None:
        return [()], at + 1
    after = at + word.end()
    if text[after : after + 2] == "::" and re.match(r"[\w{*]", text[after + 2 : after + 3]):
        inner, after = tree(text, after + 2)
        return [(word.group(), *names) for names in inner], after
    return [(word.group(),)], after


def without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*", "", text)


def python_targets(
    text: str, module: Module, is_face: bool, name: str
) -> Iterator[tuple[Module, bool]]:
    """Modules that a Python file imports, wherever in it, and whether it is their package."""
    package = module if is_face else module[:-1]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            named: Module = tuple(node.module.split(".")) if node.module else ()
            if node.level:
                base = package[: len(package) - node.level + 1] + named
            elif named[:1] == (name,):
                base = named[1:]
            else:
                continue
            for alias in node.names:
                yield (*base, alias.name), is_face
        elif isinstance(node, ast.Import):
            for alias in node.names:
                names = tuple(alias.name.split("."))
                if names[0] == name:
                    yield names[1:], False


INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+(["<])([^">]+)[">]', re.M)


def c_edges(house: House, root: str, paths: tuple[str, ...]) -> Iterator[Edge]:
    """Includes of files of the tree, by the folders that hold them."""
    for path in paths:
        if path.endswith(C):
            for quote, name in INCLUDE.findall(house.text(path)):
                found = included(path, name, root, paths, shown=quote == "<")
                if found is not None:
                    yield folder_of(path, root), folder_of(found, root), path


def included(path: str, name: str, root: str, paths: tuple[str, ...], *, shown: bool) -> str | None:
    """The file of the tree that an include names: beside it, in its library, shown by another
    library, or else anywhere. In angle brackets stands only what a library shows."""
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
    if not shown and beside in _by_name(paths).get(posixpath.basename(beside), []):
        return beside
    library = "/".join(path.split("/")[: root.count("/") + 2]) + "/"
    ends = _by_name(paths).get(posixpath.basename(name), [])
    for wanted in (library, ""):
        for place in ("/include/",) if shown else ("/include/", "/"):
            end = f"{place}{name}"
            found = [other for other in ends if other.startswith(wanted) and other.endswith(end)]
            if found:
                return found[0]
    return None


@cache
def _by_name(paths: tuple[str, ...]) -> dict[str, list[str]]:
    """The files by the last part of their paths."""
    found: dict[str, list[str]] = {}
    for path in paths:
        found.setdefault(posixpath.basename(path), []).append(path)
    return found


def folder_of(path: str, root: str) -> str:
    """The room that a file lies in."""
    return str(PurePosixPath(path).parent.relative_to(root))
