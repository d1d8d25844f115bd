"""`make conformance`: programs that others wrote, on the chip and on this host's processor.

    make conformance                          all suites
    make conformance ARGS="torture"           one suite
    make conformance ARGS="torture --match 2003 --levels=-O2 --jobs 2 --no-report"

Each program is built once as a static i586 program. That file is run natively and on the virtual
chip, and must print the same and end in the same way. The results go into docs/conformance.md.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import importlib
import itertools
import os
import shutil
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import guests
import report
from builder import build, scratch
from kits import BuildError
from packages import FetchError, provide
from programs import BUILD, Built, Ending, Program, Tally, Verdict

BATCH = 48
TABLE = Path(__file__).with_name("suites.toml")


def main() -> int:
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    options = parse_arguments(list(table["suite"]))
    failed = False
    for name in options.suites or table["suite"]:
        suite = table["suite"][name]
        suite = {**table["suite"].get(suite.get("like"), {}), **suite}
        if options.levels:
            suite["levels"] = options.levels.split(",")
        if options.compilers:
            suite["compilers"] = options.compilers.split(",")
        try:
            tally = run_suite(name, suite, table["package"], options)
        except (FetchError, BuildError) as error:
            print(f"conformance: {name}: {error}", file=sys.stderr)
            failed = True
            continue
        print(report.summary(name, tally))
        failed |= tally.count("different") > 0
        write_log(name, tally)
        whole = not (options.match or options.levels or options.compilers)
        if whole and not options.no_report:
            report.record(name, suite, table["package"][suite["package"]], tally)
    return int(failed)


def parse_arguments(names: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make conformance")
    parser.add_argument("suites", nargs="*", choices=[*names, []], help="which ones; all")
    parser.add_argument("--match", default="", help="only programs with this in their name")
    parser.add_argument("--levels", help="only these optimisation levels, by commas")
    parser.add_argument("--compilers", help="only these compilers, by commas")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="builds at a time")
    parser.add_argument("--no-report", action="store_true", help="leave the documents alone")
    return parser.parse_args()


def run_suite(
    name: str, suite: dict[str, Any], packages: dict[str, Any], options: argparse.Namespace
) -> Tally:
    """Build and run all programs of a suite."""
    tally = Tally()
    folder = provide(suite["package"], packages[suite["package"]])
    for other in suite.get("also", []):
        provide(other, packages[other])
    collect = importlib.import_module(f"collect_{suite['collect']}").collect
    programs = [p for p in collect(suite, folder) if options.match in p.name]
    begin = time.monotonic()
    with scratch() as text:
        judge_all(programs, Path(text), options.jobs, tally)
    tally.seconds = time.monotonic() - begin
    return tally


def judge_all(programs: list[Program], folder: Path, jobs: int, tally: Tally) -> None:
    """Build all programs, run them as guests, and note what became of each."""
    folder.mkdir(exist_ok=True)
    waiting: list[Built] = []
    for result in build_all(programs, folder, jobs):
        if isinstance(result, Verdict):
            tally.add(result)
        elif result.program.files:
            judge_alone(result, folder, tally)
        else:
            waiting.append(result)
        if len(waiting) == BATCH:
            judge_batch(waiting, folder, tally)
            waiting = []
            show_progress(tally, len(programs))
    if waiting:
        judge_batch(waiting, folder, tally)


def build_all(programs: list[Program], folder: Path, jobs: int) -> Iterator[Built | Verdict]:
    """Build in parallel, a few batches ahead of the chip; in the programs' order."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        numbered = enumerate(programs)
        ahead = [
            pool.submit(build, program, folder / str(number))
            for number, program in itertools.islice(numbered, 2 * BATCH)
        ]
        while ahead:
            result = ahead.pop(0).result()
            for number, program in itertools.islice(numbered, 1):
                ahead.append(pool.submit(build, program, folder / str(number)))
            yield result


def judge_batch(batch: list[Built], folder: Path, tally: Tally) -> None:
    """Run up to 48 programs on one chip; those that did not end as they should run alone."""
    endings, instructions = guests.run_batch(batch)
    tally.instructions += instructions
    for built, ending in zip(batch, endings, strict=True):
        if ending is None or compare(built, ending):
            # It may need files, or more time.
            judge_alone(built, folder, tally)
            continue
        tally.add(verdict(built, None))
        finish(built)


def judge_alone(built: Built, folder: Path, tally: Tally) -> None:
    ending, instructions = guests.run_one(built, folder / "alone")
    tally.instructions += instructions
    why = ending if isinstance(ending, str) else compare(built, ending)
    tally.add(verdict(built, why))
    finish(built)


def compare(built: Built, ending: Ending) -> str | None:
    """How a guest's end differs from the native one."""
    lines = built.program.ignore
    return ending.without(lines).differs_from(built.native.without(lines))


def finish(built: Built) -> None:
    """Free the disk; a program that the host keeps elsewhere stays."""
    if built.program.binary is None:
        shutil.rmtree(built.binary.parent)


def verdict(built: Built, why: str | None) -> Verdict:
    if why is None:
        return Verdict(built.program, "passed", "", built.native.code)
    if built.program.known is not None:
        return Verdict(built.program, "known", built.program.known, built.native.code)
    print(f"DIFFERENT {built.program.name}: {why}", flush=True)
    return Verdict(built.program, "different", why, built.native.code)


def show_progress(tally: Tally, total: int) -> None:
    done = len(tally.verdicts)
    print(f"conformance: {done:,} of {total:,}", file=sys.stderr, flush=True)


def write_log(name: str, tally: Tally) -> None:
    """What became of each program, for those who look for one."""
    path = BUILD / f"{name}.log"
    with path.open("w", encoding="utf-8") as file:
        for item in tally.verdicts:
            native = "" if item.native_code in (0, None) else f" (exit {item.native_code})"
            file.write(f"{item.outcome}{native} {item.program.name} {item.why}\n".rstrip() + "\n")


if __name__ == "__main__":
    sys.exit(main())
