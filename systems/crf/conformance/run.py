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
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT)]
from scripts import thread_tests  # noqa: E402
from scripts.packages import FetchError  # noqa: E402
from scripts.side_by_side import side_by_side  # noqa: E402
from scripts.thread_tests import BUILD, Test, execute  # noqa: E402

import report  # noqa: E402
from rockcreek.repro.checkout import commit  # noqa: E402

RCK = (sys.executable, "-m", "rockcreek")
LAYERS = ("systems/crf", "systems/threads", "systems/openmp")
CORES = 4
PATIENCE_S = 300


def judge(test: Test, codes: dict[str, str]) -> dict[str, Any]:
    """Builds and runs one test."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        code, words = execute([*RCK, *test.build_words, "-o", "test"], folder, 300)
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
    table = thread_tests.table() | tomllib.loads((HERE / "reasons.toml").read_text())
    options = parse_arguments(list(table["suite"]))
    try:
        tests = thread_tests.every_test(table)
    except FetchError as error:
        sys.exit(f"threads-conformance: {error}")
    path = BUILD / "results.jsonl"
    if options.anew:
        path.unlink(missing_ok=True)
    known = thread_tests.results(path)
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
