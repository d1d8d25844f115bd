"""`make ruby-conformance`: Ruby's own tests on one core (needs `make ruby`).

    make ruby-conformance                               what has not run yet, short files first
    make ruby-conformance ARGS="bootstraptest"          of one suite
    make ruby-conformance ARGS="--match test_array"     files of this pattern, anew
    make ruby-conformance ARGS="--file-s 120"           of each file what 120 s of this host allow
    make ruby-conformance ARGS="--report"               the page alone

A file that a smaller limit cut off has not run yet for a larger one. What has run is kept in
build/ruby-conformance; the page is docs/ruby-conformance.md.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT)]
import ruby_page  # noqa: E402
import suites  # noqa: E402
from scripts.kept_results import read_results  # noqa: E402
from scripts.side_by_side import side_by_side  # noqa: E402

from rockcreek.errors import RockcreekError  # noqa: E402
from rockcreek.interpreters import ruby  # noqa: E402
from rockcreek.repro.checkout import commit  # noqa: E402

RESULTS = ROOT / "build/ruby-conformance/results.jsonl"
LAYERS = ("crates", "guest", "python", "machine", "systems/ruby")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make ruby-conformance")
    parser.add_argument("suites", nargs="*", help="basictest, bootstraptest, test/ruby, ...; all")
    parser.add_argument("--match", help="run anew the files of this pattern")
    parser.add_argument("--file-s", type=int, help="seconds of this host for a file or benchmark")
    parser.add_argument("--anew", action="store_true", help="forget what has run")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--report", action="store_true", help="write the page and run nothing")
    return parser.parse_args()


def is_wanted(unit: suites.Unit, known: dict[str, Any], options: argparse.Namespace) -> bool:
    if options.report or (options.suites and unit.suite not in options.suites):
        return False
    if options.match:
        return re.search(options.match, unit.path.name) is not None
    return unit.key not in known or is_cut_off(known[unit.key], options.file_s)


def is_cut_off(row: dict[str, Any], file_s: int | None) -> bool:
    """Whether a limit smaller than this one (None: the usual ones) ended it.

    >>> is_cut_off({"tests": [{"outcome": "not ended"}], "file_s": 60}, 120)
    True
    >>> is_cut_off({"tests": [{"outcome": "not ended"}], "file_s": 120}, 120)
    False
    """
    left_out = any(test["outcome"] == "not ended" for test in row["tests"])
    limit = row.get("file_s")
    return left_out and limit is not None and (file_s is None or limit < file_s)


def ready(file_s: int | None) -> suites.Place:
    """Where Ruby and its sources are; ends with a message if `make ruby` was not run."""
    try:
        folder = ruby.interpreter().parents[3]
    except RockcreekError as error:
        sys.exit(f"ruby-conformance: {error}")
    snapshot = RESULTS.with_name("started.snap")
    place = suites.Place(folder / "ruby", folder / "host-install/bin/ruby", snapshot, file_s)
    if not (place.source / "bootstraptest").is_dir():
        sys.exit(f"ruby-conformance: no sources in {place.source}: 'make ruby' fetches them")
    return place


def main() -> int:
    options = parse_arguments()
    place = ready(options.file_s)
    units = list(suites.every_unit(place.source))
    if options.anew:
        RESULTS.unlink(missing_ok=True)
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    known = read_results(RESULTS, lambda one: f"{one['suite']}/{one['file']}")
    wanted = [unit for unit in units if is_wanted(unit, known, options)]
    wanted.sort(key=lambda unit: unit.path.stat().st_size)
    at = commit(ROOT, *LAYERS)
    if any(unit.suite == "bootstraptest" for unit in wanted):
        place.save()

    def work(unit: suites.Unit) -> dict[str, Any]:
        began = time.monotonic()
        tests = suites.judge(unit, place)
        return {
            "suite": unit.suite, "file": unit.path.name, "tests": tests, "commit": at,
            "seconds": round(time.monotonic() - began, 1), "file_s": options.file_s,
        }  # fmt: skip

    with RESULTS.open("a") as file:
        for number, one in enumerate(side_by_side(work, wanted, options.jobs), 1):
            known[f"{one['suite']}/{one['file']}"] = one
            file.write(json.dumps(one) + "\n")
            file.flush()
            passed = sum(test["outcome"] == "passed" for test in one["tests"])
            print(f"{number}/{len(wanted)} {passed} of {len(one['tests'])} {one['seconds']:.0f} s"
                  f" {one['suite']}/{one['file']}", flush=True)  # fmt: skip
    package = tomllib.loads((HERE.parent / "cruby/ruby.toml").read_text())["package"]["ruby"]
    table = tomllib.loads((HERE / "reasons.toml").read_text())["reason"]
    results = [known[unit.key] for unit in units if unit.key in known]
    limits = {"start": suites.START_S, "file": suites.FILE_S}
    name = f"{package['name']} {package['version']} ({package['licence']})"
    return int(ruby_page.write(name, results, len(units), table, limits) > 0)


if __name__ == "__main__":
    sys.exit(main())
