"""Tests of threads that others wrote: which there are, and how each is built.

What is fetched stands in thread_tests.toml.
"""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.kept_results import Result, read_results
from scripts.packages import Shelf

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build/threads-conformance"
# What the tests' age takes for granted, and Clang 17 and later treat as errors.
OLD_C = [
    "-Wno-implicit-function-declaration", "-Wno-implicit-int", "-Wno-int-conversion",
    "-Wno-incompatible-pointer-types", "-Wno-return-type",
]  # fmt: skip
_DO = re.compile(r"dg-do\s+(\w+)")
_OPTIONS = re.compile(r'dg-(?:additional-)?options\s+"([^"]*)"\s*\}')
# What tunes GCC alone, or writes files of its own.
_OF_GCC = re.compile(r"-f(dump|tree|ipa|offload|no-tree|no-ipa)|-O|-static|-march|-m(sse|avx)")
_PARAM = re.compile(r"--param[ =]\S+")  # a word of its own, or the next one
# A test of another device with memory of its own.
_DEVICE = "offload_device_nonshared_as"
_FOLDERS = re.compile(r"^(conformance/interfaces|testsuite)/")  # not in a test's name
_MORE = re.compile(r'dg-additional-sources\s+"?([\w.+ -]+)"?')


@dataclass(frozen=True)
class Test:
    """A program that judges itself."""

    suite: str
    name: str
    sources: tuple[Path, ...]
    flags: tuple[str, ...]
    link: tuple[str, ...]

    @property
    def key(self) -> str:
        return f"{self.suite} {self.name}"

    @property
    def build_words(self) -> list[str]:
        """What `rck` is asked for the program."""
        compiler = "c++" if self.sources[0].suffix == ".C" else "cc"
        return [compiler, *self.flags, *map(str, self.sources), *self.link]


def table() -> dict[str, Any]:
    """The packages and suites."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def every_test(table: dict[str, Any]) -> list[Test]:
    """The tests of all suites of a table, whose packages are fetched if they are not here."""
    shelf = Shelf(BUILD, "threads-conformance")
    tests: list[Test] = []
    for name, suite in table["suite"].items():
        folder = shelf.provide(suite["package"], table["package"][suite["package"]])
        tests += collect(name, suite, folder)
    return tests


def collect(name: str, suite: dict[str, Any], folder: Path) -> Iterator[Test]:
    """The suite's programs that are to be run."""
    pattern = re.compile(suite.get("pattern", ""))
    for word in suite["programs"]:
        for source in sorted(folder.glob(word)):
            text = source.read_text(encoding="latin-1")
            kind = _DO.search(text)
            if not pattern.search(source.name) or (kind and kind[1] != "run") or _DEVICE in text:
                continue
            more = options_of(text) if suite.get("options") else []
            others = _MORE.search(text)
            beside = [source.with_name(other) for other in others[1].split()] if others else []
            yield Test(
                suite=name,
                name=_FOLDERS.sub("", str(source.relative_to(folder))),
                sources=(source, *(path for path in beside if path.is_file())),
                flags=(
                    *suite["flags"], *more, *OLD_C, f"-I{source.parent}",
                    *(f"-I{folder / part}" for part in suite.get("include", [])),
                ),
                link=tuple(suite["link"]),
            )  # fmt: skip


def options_of(text: str) -> list[str]:
    """What a program's comments ask for.

    >>> options_of('/* { dg-options "-O2 -fopenmp --param chunk=2 -DN=4" } */')
    ['-fopenmp', '-DN=4']
    """
    texts = [_PARAM.sub("", options) for options in _OPTIONS.findall(text)]
    words = [word for options in texts for word in options.split()]
    return [word for word in words if not _OF_GCC.match(word)]


def execute(command: list[str], folder: str, patience: float) -> tuple[int | None, str]:
    """Exit code (None: it has not ended), and the end of what it said."""
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, errors="replace", check=False,
            stdin=subprocess.DEVNULL, timeout=patience,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, (done.stdout + done.stderr).strip()[-1500:]


def results(path: Path) -> dict[str, Result]:
    """The last result of each test that has run."""
    return read_results(path, lambda one: str(one["test"]))
