"""`make mutants`: break the chip rule by rule, and see that a test notices each time.

Every mutant is applied to a copy of the tree, the engine is built there, and the tests that name
the mutant are run on it. Before that the same tests must pass on the unchanged copy.

    python tests/mutants/run_mutants.py [NAME...]
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "out" / "mutants"
TREE = WORK / "tree"
ENGINE = "rockcreek-python"


@dataclass(frozen=True)
class Edit:
    """One replacement; the text must occur exactly once."""

    file: str
    find: str
    replace: str

    def apply(self, root: Path) -> None:
        path = root / self.file
        text = path.read_text()
        found = text.count(self.find)
        if found != 1:
            raise ValueError(f"{self.file}: the text to replace occurs {found} times, not once")
        path.write_text(text.replace(self.find, self.replace))


@dataclass(frozen=True)
class Mutant:
    """One rule of the chip, and how it is broken."""

    name: str
    rule: str
    edits: tuple[Edit, ...]


def load_mutants() -> list[Mutant]:
    """The mutants of mutants.toml."""
    tables: dict[str, Any] = tomllib.loads((Path(__file__).parent / "mutants.toml").read_text())
    return [
        Mutant(
            table["name"],
            table["rule"],
            tuple(
                Edit(edit["file"], edit["find"].strip("\n"), edit["replace"].strip("\n"))
                for edit in table["edit"]
            ),
        )
        for table in tables["mutant"]
    ]


def copy_files(tree: Path) -> None:
    """The tracked files, and those that are new, as they are now."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=True,
    )  # fmt: skip
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)


def copy_tree() -> None:
    """The files of the tree, with the built guest linked in."""
    shutil.rmtree(TREE, ignore_errors=True)
    copy_files(TREE)
    (TREE / "python/rockcreek/_guest").symlink_to(ROOT / "python/rockcreek/_guest")
    (TREE / "out").mkdir()
    (TREE / "out/test-programs").symlink_to(ROOT / "out/test-programs")


def build() -> None:
    """Build the engine of the copy, and put it into the copy's package."""
    # The dev profile: optimised enough, and built incrementally.
    command = ["cargo", "build", "--locked", "-p", ENGINE, "--message-format=json"]
    done = subprocess.run(
        command, cwd=TREE, capture_output=True, text=True, check=False,
        env={**os.environ, "CARGO_TARGET_DIR": str(WORK / "target"), "PYO3_PYTHON": sys.executable},
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"the mutant does not build:\n{done.stderr[-3000:]}")
    libraries = [
        Path(name)
        for message in map(json.loads, done.stdout.splitlines())
        if message.get("reason") == "compiler-artifact" and "cdylib" in message["target"]["kind"]
        for name in message["filenames"]
        if name.endswith((".so", ".dylib"))
    ]
    shutil.copy2(libraries[-1], TREE / "python/rockcreek/_native.abi3.so")


def tests_fail(name: str | None) -> bool:
    """Run the tests that name this mutant (None: all that name one) on the copy."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", f"--mutant={name or '*'}", "tests"]
    environment = {**os.environ, "PYTHONPATH": str(TREE / "python"), "RCK_TEST_TIMEOUT_S": "60"}
    done = subprocess.run(
        command, cwd=TREE, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 1):
        raise RuntimeError(f"pytest could not run:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    if name is None and done.returncode:
        print(done.stdout[-3000:])
    return done.returncode == 1


def main(names: list[str]) -> int:
    """Run these mutants, or all."""
    mutants = [m for m in load_mutants() if not names or m.name in names]
    unknown = set(names) - {m.name for m in mutants}
    if unknown:
        print(f"no mutant is called {', '.join(sorted(unknown))}", file=sys.stderr)
        return 64
    (ROOT / "out/test-programs").mkdir(parents=True, exist_ok=True)
    copy_tree()
    # A mutant of an earlier call may still be what cargo takes for newest.
    for file in {edit.file for mutant in load_mutants() for edit in mutant.edits}:
        (TREE / file).touch()
    build()
    if tests_fail(None if not names else names[0]):
        print("the tests fail on the unchanged chip already: nothing can be said of mutants")
        return 1
    survivors = []
    for mutant in mutants:
        start = time.monotonic()
        originals = {edit.file: (TREE / edit.file).read_text() for edit in mutant.edits}
        try:
            for edit in mutant.edits:
                edit.apply(TREE)
            build()
            killed = tests_fail(mutant.name)
        finally:
            for file, text in originals.items():
                (TREE / file).write_text(text)
        verdict = "noticed " if killed else "SURVIVED"
        print(f"{verdict} {mutant.name:20} {time.monotonic() - start:5.0f} s  {mutant.rule}")
        sys.stdout.flush()
        if not killed:
            survivors.append(mutant.name)
    print(f"{len(mutants) - len(survivors)} of {len(mutants)} mutants noticed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
