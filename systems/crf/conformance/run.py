"""`make threads-conformance`: tests of threads that others wrote, each on four cores.

    make threads-conformance                            what has not run yet
    make threads-conformance ARGS="posix --match sem_"  a part of one suite, anew
    make threads-conformance ARGS="--anew"              all of them

A test judges itself: exit code 0. What has run is kept in build/threads-conformance; the page is
docs/threads-conformance.md.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT)]
from scripts.packages import FetchError, Shelf  # noqa: E402
from scripts.side_by_side import side_by_side  # noqa: E402

import report  # noqa: E402
from rockcreek.repro.checkout import commit  # noqa: E402

BUILD = ROOT / "build/threads-conformance"
RCK = (sys.executable, "-m", "rockcreek")
LAYERS = ("systems/crf", "systems/threads", "systems/openmp")
CORES = 4
PATIENCE_S = 300
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
    suite: str
    name: str
    sources: tuple[Path, ...]
    flags: tuple[str, ...]
    link: tuple[str, ...]

    @property
    def key(self) -> str:
        return f"{self.suite} {self.name}"


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


def judge(test: Test, codes: dict[str, str]) -> dict[str, Any]:
    """Builds and runs one test."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        compiler = "c++" if test.sources[0].suffix == ".C" else "cc"
        build = [*RCK, compiler, *test.flags, *map(str, test.sources), *test.link]
        code, words = execute([*build, "-o", "test"], folder, 300)
        outcome = "not built"
        if code == 0:
            limit = ["--timeout", f"{PATIENCE_S}s"]
            run = [*RCK, "run", "-q", "-n", str(CORES), *limit, "test"]
            code, words = execute(run, folder, PATIENCE_S + 60)
            outcome = "passed" if code == 0 else "failed"
            if str(code) in codes and "rck: error" not in words:
                outcome, words = "not judged", codes[str(code)] + "\n" + words
    return {
        "test": test.key, "outcome": outcome, "code": code, "said": words,
        "seconds": round(time.monotonic() - began, 1),
    }  # fmt: skip


def read_results(path: Path) -> dict[str, dict[str, Any]]:
    """What has run, the last result of each."""
    lines = path.read_text().splitlines() if path.is_file() else []
    return {one["test"]: one for one in map(json.loads, lines)}


def every_test(table: dict[str, Any]) -> list[Test]:
    """The tests of all suites, whose packages are fetched if they are not here."""
    shelf = Shelf(BUILD, "threads-conformance")
    tests: list[Test] = []
    for name, suite in table["suite"].items():
        try:
            folder = shelf.provide(suite["package"], table["package"][suite["package"]])
        except FetchError as error:
            sys.exit(f"threads-conformance: {name}: {error}")
        tests += collect(name, suite, folder)
    return tests


def parse_arguments(suites: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make threads-conformance")
    parser.add_argument("suites", nargs="*", choices=[*suites, []], help="which; all")
    parser.add_argument("--match", help="run anew those with this in their name")
    parser.add_argument("--anew", action="store_true", help="forget what has run")
    parser.add_argument("--failed", action="store_true", help="run again what has not passed")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--report", action="store_true", help="write the page and run nothing")
    return parser.parse_args()


def is_wanted(test: Test, known: dict[str, dict[str, Any]], options: argparse.Namespace) -> bool:
    if options.report or (options.suites and test.suite not in options.suites):
        return False
    if options.match:
        return options.match in test.name
    outcome = known.get(test.key, {}).get("outcome")
    return outcome is None or (options.failed and outcome != "passed")


def main() -> int:
    table = tomllib.loads((HERE / "suites.toml").read_text())
    options = parse_arguments(list(table["suite"]))
    tests = every_test(table)
    path = BUILD / "results.jsonl"
    if options.anew:
        path.unlink(missing_ok=True)
    known = read_results(path)
    wanted = [test for test in tests if is_wanted(test, known, options)]
    at = commit(ROOT, "crates", "guest", "python", "machine", *LAYERS)

    def work(test: Test) -> dict[str, Any]:
        return {**judge(test, table["suite"][test.suite].get("codes", {})), "commit": at}

    with path.open("a") as file:
        for number, result in enumerate(side_by_side(work, wanted, options.jobs), 1):
            known[result["test"]] = result
            file.write(json.dumps(result) + "\n")
            file.flush()
            print(f"{number}/{len(wanted)} {result['outcome']:10} {result['seconds']:6.1f} s"
                  f" {result['test']}", flush=True)  # fmt: skip
    results = [known[test.key] for test in tests if test.key in known]
    return report.write(table, results, len(tests), PATIENCE_S)


if __name__ == "__main__":
    sys.exit(main())
