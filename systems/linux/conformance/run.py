"""`make linux-busybox`: busybox's own tests on a core under Linux (needs `make linux`).

    make linux-busybox                         what has not run yet
    make linux-busybox ARGS="--match ^tar"    programs of this pattern, anew
    make linux-busybox ARGS="--report"         the page alone

What has run is kept in build/linux-busybox; the page is docs/linux-busybox.md.
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
import suite  # noqa: E402
import suite_page  # noqa: E402
from scripts.kept_results import read_results  # noqa: E402
from scripts.side_by_side import side_by_side  # noqa: E402

from rockcreek.errors import RockcreekError  # noqa: E402
from rockcreek.linux import images  # noqa: E402
from rockcreek.repro.checkout import commit  # noqa: E402

RCK = [sys.executable, "-m", "rockcreek"]
FOLDER = ROOT / "build/linux-busybox"
LAYERS = ("crates", "guest", "python", "machine", "systems/linux")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make linux-busybox")
    parser.add_argument("--match", help="run anew the tests of programs of this pattern")
    parser.add_argument("--anew", action="store_true", help="forget what has run")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--report", action="store_true", help="write the page and run nothing")
    return parser.parse_args()


def ready() -> suite.Place:
    """Where busybox's sources are; ends with a message if `make linux` was not run."""
    try:
        images.find()
    except RockcreekError as error:
        sys.exit(f"linux-busybox: {error}; {error.hint}")
    place = suite.Place(images.folder() / "busybox", FOLDER)
    if not place.tests.is_dir():
        sys.exit(f"linux-busybox: no {place.tests}: 'make linux' fetches it")
    return place


def main() -> int:
    options = parse_arguments()
    place = ready()
    file = FOLDER / "results.jsonl"
    if options.anew:
        file.unlink(missing_ok=True)
    suite.pack(place)
    every, known = suite.programs(place.tests), read_results(file, lambda one: str(one["program"]))
    wanted = [name for name in every if name not in known]
    if options.match:
        wanted = [name for name in every if re.search(options.match, name)]
    at = commit(ROOT, *LAYERS)

    def work(program: str) -> dict[str, Any]:
        began = time.monotonic()
        core = suite.on_a_core(place, program, RCK)
        seconds = round(time.monotonic() - began, 1)
        host = suite.on_this_host(place, program)
        return {
            "program": program, "core": core, "host": host, "commit": at, "seconds": seconds,
        }  # fmt: skip

    with file.open("a") as out:
        work_on = [] if options.report else wanted
        for number, one in enumerate(side_by_side(work, work_on, options.jobs), 1):
            known[one["program"]] = one
            out.write(json.dumps(one) + "\n")
            out.flush()
            passed = sum(test["outcome"] == "passed" for test in one["core"])
            print(f"{number}/{len(wanted)} {one['program']}: {passed} of {len(one['core'])},"
                  f" {one['seconds']:.0f} s", flush=True)  # fmt: skip
    package = tomllib.loads((HERE.parent / "linux.toml").read_text())["package"]["busybox"]
    table = tomllib.loads((HERE / "reasons.toml").read_text())["reason"]
    results = [known[name] for name in every if name in known]
    name = f"{package['name']} {package['version']} ({package['licence']})"
    left = len(every) - len(results)
    suite_page.PAGE.write_text(suite_page.text(name, results, left, table, suite.CORE_S))
    return int(suite_page.failures(results, table)[1] > 0)


if __name__ == "__main__":
    sys.exit(main())
