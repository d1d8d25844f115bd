"""Who imports whom: the imports of Rust, Python and C files, by folder.

A *room* is a folder of a tree. An import counts from the room of the file that has it to the
room of what it names. What a room's own `mod.rs`, `lib.rs` or `__init__.py` only passes on
(`pub use`, imports of its own children) is no import: it says what the room shows.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

Module = tuple[str, ...]
# Files that stand for their folder.
FACES = {"mod", "lib", "main", "__init__"}
TESTS = re.compile(r"^#\[cfg\(test\)\]\n(?:pub(?:\(\w+\))? )?mod tests \{", re.M)
RUST_PATH = re.compile(r"(?<![\w:])(crate|super|self)((?:::super)*)::(?=[\w{*])")


def sources(root: Path, suffixes: tuple[str, ...]) -> Iterator[Path]:
    """The tree's files, in order, without folders that builds put there (`_guest`, caches)."""
    for path in sorted(root.rglob("*")):
        folders = path.relative_to(root).parts[:-1]
        if path.suffix in suffixes and not any(name.startswith("_") for name in folders):
            yield path


def room_of(module: Module, is_face: bool) -> str:
    """The folder of a module, `.` for the root of its tree."""
    return "/".join(module if is_face else module[:-1]) or "."


def edges(root: Path, language: str) -> Iterator[tuple[str, str, Path]]:
    """(importing room, imported room, file) for each import within the tree."""
    if language == "c":
        yield from c_edges(root)
        return
    suffix = {"rust": ".rs", "python": ".py"}[language]
    # `python -m` starts at `__main__`: no room imports it, and it may start any.
    paths = (path for path in sources(root, (suffix,)) if path.stem != "__main__")
    files = {module_of(path, root): path for path in paths}
    for module, path in files.items():
        is_face = path.stem in FACES
        read = rust_targets if language == "rust" else python_targets
        for target, passed_on in read(path, module, root):
            found = longest(target, files)
            if found is None or (is_face and passed_on and found[: len(module)] == module):
                continue
            yield room_of(module, is_face), room_of(found, files[found].stem in FACES), path


def module_of(path: Path, root: Path) -> Module:
    parts = path.relative_to(root).with_suffix("").parts
    return parts[:-1] if parts[-1] in FACES else parts


def longest(target: Module, files: dict[Module, Path]) -> Module | None:
    """The file that a path leads into: its longest beginning that is one."""
    for length in range(len(target), -1, -1):
        if target[:length] in files:
            return target[:length]
    return None


def rust_targets(path: Path, module: Module, root: Path) -> Iterator[tuple[Module, bool]]:
    """Paths that a Rust file names, and whether it only passes them on."""
    text = without_comments(path.read_text(encoding="utf-8"))
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


def python_targets(path: Path, module: Module, root: Path) -> Iterator[tuple[Module, bool]]:
    """Modules that a Python file imports, wherever in it, and whether it is their package."""
    package = module if path.stem == "__init__" else module[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            named: Module = tuple(node.module.split(".")) if node.module else ()
            if node.level:
                base = package[: len(package) - node.level + 1] + named
            elif named[:1] == (root.name,):
                base = named[1:]
            else:
                continue
            for alias in node.names:
                yield (*base, alias.name), path.stem == "__init__"
        elif isinstance(node, ast.Import):
            for alias in node.names:
                names = tuple(alias.name.split("."))
                if names[0] == root.name:
                    yield names[1:], False


def c_edges(root: Path) -> Iterator[tuple[str, str, Path]]:
    """Includes of headers of the tree, by the folder that holds them."""
    headers = {path.name: path.parent for path in root.rglob("*.h")}
    for path in sorted([*root.rglob("*.[chS]")]):
        for name in re.findall(r'^#\s*include\s+"([^"]+)"', path.read_text(encoding="utf-8"), re.M):
            beside = (path.parent / name).resolve()
            found = beside.parent if beside.is_file() else headers.get(Path(name).name)
            if found is not None and found.is_relative_to(root):
                yield str(path.parent.relative_to(root)), str(found.relative_to(root)), path
