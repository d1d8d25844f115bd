"""`make smp-conformance`: tests of threads that others wrote, in one Linux on four cores.

    make smp-conformance                      what has not run yet
    make smp-conformance ARGS="--match sem_"  some of them, anew
    make smp-conformance ARGS="--anew"        all of them

The tests judge themselves: exit code 0. Some 50 run in one boot (each.c). What has run is kept in
build/smp-conformance; the page is docs/smp-conformance.md.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]
sys.path[:0] = [str(HERE), str(ROOT)]
import boots  # noqa: E402
import page  # noqa: E402
from scripts import thread_tests  # noqa: E402
from scripts.packages import FetchError  # noqa: E402
from scripts.side_by_side import side_by_side  # noqa: E402
from scripts.thread_tests import Test, execute  # noqa: E402

from rockcreek.repro.checkout import commit  # noqa: E402

BUILD = ROOT / "build/smp-conformance"
PROGRAMS = BUILD / "programs"
RESULTS = BUILD / "results.jsonl"
RCK = (sys.executable, "-m", "rockcreek")
SUITE = "posix"
NATIVE_S = 120
PARTS = ("crates", "guest", "python", "machine", "systems/rockyvisor")


def file_name(test: Test) -> str:
    """How the program is called in the folder that the guest sees."""
    return test.name.removesuffix(".c").replace("/", "_")


def build(test: Test) -> str | None:
    """Makes the program, if it is not there; what was wrong."""
    path = PROGRAMS / file_name(test)
    if path.is_file():
        return None
    words = [word if word != "-pthread" else "-pthread=core" for word in test.build_words]
    code, said = execute([*RCK, *words, "-o", str(path)], str(PROGRAMS), 300)
    return None if code == 0 else said


def natively(test: Test) -> str:
    """How it ends on this host, whose clock and priorities it must not set: as nobody."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        program = Path(folder) / "test"
        program.write_bytes((PROGRAMS / file_name(test)).read_bytes())
        program.chmod(0o755)
        try:
            ran = subprocess.run(
                ["./test"], cwd=folder, user="nobody", group="nogroup", extra_groups=[],
                stdin=subprocess.DEVNULL, capture_output=True, timeout=NATIVE_S, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return f"not ended in {NATIVE_S} s"
        except OSError as error:
            return f"not run: {error}"
    return "passed" if ran.returncode == 0 else f"exit code {ran.returncode}"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make smp-conformance")
    parser.add_argument("--match", help="run anew those with this in their name")
    parser.add_argument("--anew", action="store_true", help="forget what has run")
    parser.add_argument("--failed", action="store_true", help="run again what has not passed")
    parser.add_argument("--jobs", type=int, default=2, help="builds, and boots, at a time")
    parser.add_argument("--batch", type=int, default=50, help="tests of a boot")
    parser.add_argument("--seconds", type=int, default=20, help="of a processor, for a process")
    parser.add_argument("--report", action="store_true", help="write the page and run nothing")
    return parser.parse_args()


def is_wanted(test: Test, known: dict[str, dict[str, Any]], options: argparse.Namespace) -> bool:
    if options.report:
        return False
    if options.match:
        return options.match in test.name
    outcome = known.get(test.key, {}).get("outcome")
    return outcome is None or (options.failed and outcome != "passed")


def verdict(test: Test, ending: boots.Ending, codes: dict[str, str], limit: int) -> dict[str, Any]:
    """A test's result; what has failed runs on this host too."""
    outcome, said = "failed", ending.said
    if ending.how == "exit":
        outcome = "passed" if ending.code == 0 else "failed"
        if str(ending.code) in codes:
            outcome, said = "not judged", f"{said}\n{codes[str(ending.code)]}"
    if ending.how == "late":
        said += f"\nworked for more than {limit} simulated s of a processor, or waited for 60"
    result = {"test": test.key, "outcome": outcome, "how": ending.how, "code": ending.code,
              "said": said, "seconds": round(ending.seconds, 1)}  # fmt: skip
    if outcome == "failed":
        result["native"] = natively(test)
    return result


def main() -> int:
    options = parse_arguments()
    table = thread_tests.table() | tomllib.loads((HERE / "reasons.toml").read_text())
    table["suite"] = {SUITE: table["suite"][SUITE]}
    try:
        tests = thread_tests.every_test(table)
    except FetchError as error:
        sys.exit(f"smp-conformance: {error}")
    PROGRAMS.mkdir(parents=True, exist_ok=True)
    if options.anew:
        RESULTS.unlink(missing_ok=True)
    known = thread_tests.results(RESULTS)
    wanted = [test for test in tests if is_wanted(test, known, options)]
    at = commit(ROOT, *PARTS)
    codes = table["suite"][SUITE].get("codes", {})
    with RESULTS.open("a") as file:

        def note(result: dict[str, Any]) -> None:  # a line at once: from several threads
            file.write(json.dumps(result | {"commit": at, "date": page.today()}) + "\n")
            file.flush()
            print(f"{result['outcome']:10} {result['seconds']:6.1f} s {result['test']}", flush=True)

        by_name = {}
        pairs = side_by_side(lambda test: (test, build(test)), wanted, options.jobs)
        for test, wrong in pairs:
            if wrong is None:
                by_name[file_name(test)] = test
            else:
                note({"test": test.key, "outcome": "not built", "code": 1, "said": wrong,
                      "seconds": 0})  # fmt: skip
        if by_name:
            boots.build_runner(PROGRAMS)
        boots.run_all(
            sorted(by_name), boots.Plan(PROGRAMS, options.batch, options.jobs, options.seconds),
            lambda name, ending: note(verdict(by_name[name], ending, codes, options.seconds)),
        )  # fmt: skip
    known = thread_tests.results(RESULTS)
    return page.write(table, [known[test.key] for test in tests if test.key in known], len(tests))


if __name__ == "__main__":
    sys.exit(main())
