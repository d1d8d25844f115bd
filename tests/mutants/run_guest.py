"""`make guest-mutants`: break the guest's libraries rule by rule; a test must notice each time.

Every mutant is applied to a copy of the tree, the guest is built there, and the tests of its row
are run on it; before, on the unchanged copy, those of all rows.

    python tests/mutants/run_guest.py [NAME or LIBRARY...]
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

import run_mutants

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "out" / "guest-mutants"
TREE = WORK / "tree"
# A mutant may hang. A busy host needs longer for all tests.
TIMEOUT_S = os.environ.get("RCK_TEST_TIMEOUT_S", "60")
PASSED, FAILED = 0, 1


@dataclass(frozen=True)
class Mutant:
    """One rule of a library (the owner), how it is broken, and the tests that must notice."""

    name: str
    owner: str
    rule: str
    edit: run_mutants.Edit
    tests: tuple[str, ...]


def load() -> list[Mutant]:
    """The mutants of guest.toml."""
    tables = tomllib.loads((Path(__file__).parent / "guest.toml").read_text(encoding="utf-8"))
    return [
        Mutant(
            row["name"],
            row["library"],
            row["rule"],
            run_mutants.Edit(
                row["file"], row["find"].removeprefix("\n"), row["replace"].removeprefix("\n")
            ),
            tuple(row["tests"]),
        )
        for row in tables["mutant"]
    ]


def copy_tree() -> None:
    """The tracked files as they are now, the built engine, and a guest of its own."""
    shutil.rmtree(TREE, ignore_errors=True)
    run_mutants.copy_files(TREE)
    package = Path("python/rockcreek")
    for engine in (ROOT / package).glob("_native*.so"):
        (TREE / package / engine.name).symlink_to(engine)
    shutil.copytree(ROOT / package / "_guest", TREE / package / "_guest")
    (TREE / "build").mkdir(exist_ok=True)
    shutil.copytree(ROOT / "build/guest", TREE / "build/guest")


def build() -> bool:
    """Build the guest of the copy; False if it does not compile."""
    command = [sys.executable, "-m", "build_backend.guest"]
    done = subprocess.run(command, cwd=TREE, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"the guest does not build:\n{done.stderr[-2000:]}")
    return done.returncode == 0


def run_tests(tests: list[str], expected: int) -> int:
    """pytest's exit code for these tests on the copy."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    environment = {
        **os.environ,
        "PYTHONPATH": str(TREE / "python"),
        "RCK_TEST_TIMEOUT_S": TIMEOUT_S,
    }
    done = subprocess.run(
        [*command, "-m", "not slow", *tests],
        cwd=TREE, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode not in (PASSED, FAILED):
        print(f"pytest could not run:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    elif expected == PASSED and done.returncode == FAILED:
        print(done.stdout[-2000:])
    return done.returncode


def tests_of(mutants: list[Mutant]) -> list[str]:
    """The tests of all rows, each once."""
    return sorted({test for mutant in mutants for test in mutant.tests})


def try_mutant(mutant: Mutant) -> bool:
    """Whether one of its tests notices the mutant."""
    path = TREE / mutant.edit.file
    original = path.read_text(encoding="utf-8")
    try:
        mutant.edit.apply(TREE)
        return build() and run_tests(list(mutant.tests), FAILED) == FAILED
    finally:
        path.write_text(original, encoding="utf-8")


def main(words: list[str]) -> int:
    """Run these mutants, or those of these libraries, or all."""
    mutants = [m for m in load() if not words or {m.name, m.owner} & set(words)]
    if not mutants:
        print(f"no mutant and no library is called {', '.join(words)}", file=sys.stderr)
        return 64
    copy_tree()
    if not build() or run_tests(tests_of(mutants), PASSED) != PASSED:
        print("the tests fail on the unchanged guest already: nothing can be said of mutants")
        return 1
    survivors = []
    for mutant in mutants:
        start = time.monotonic()
        noticed = try_mutant(mutant)
        verdict = "noticed " if noticed else "SURVIVED"
        took = time.monotonic() - start
        print(f"{verdict} {mutant.name:32} {took:4.0f} s  {mutant.rule}", flush=True)
        if not noticed:
            survivors.append(mutant.name)
    print(f"{len(mutants) - len(survivors)} of {len(mutants)} mutants noticed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
