"""`make bench`: measures this version on this host and writes docs/performance.md.

A partial run (--only, --quick) writes its JSON and shows its tables, and leaves the page alone.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from rich.console import Console

from benches import campaign, demands, figure, hello, page, plan, table

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benches" / "results.json"
PAGE = ROOT / "docs" / "performance.md"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benches", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="milliseconds each, once: does it run")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="this program")
    parser.add_argument("--seconds", type=float, default=5, help="at least, for each run of rck")
    parser.add_argument("--repeats", type=int, help="runs of each, of which the best counts")
    parser.add_argument("--no-peers", action="store_true", help="rck alone")
    parser.add_argument("--no-hello", action="store_true", help="without hello")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "bench", help="where to write")
    parser.add_argument("--list", action="store_true", help="name the programs and end")
    parser.add_argument(
        "--page", action="store_true", help="only make the page anew from benches/results.json"
    )
    return parser.parse_args()


def measured(given: argparse.Namespace, programs: list[plan.Program]) -> dict[str, Any]:
    settings = campaign.Settings(
        seconds=given.seconds,
        repeats=given.repeats or (1 if given.quick else 3),
        quick=given.quick,
        with_peers=not given.no_peers,
        hello=not given.no_hello and not given.only,
    )
    binaries = plan.build(programs, given.out / "programs")
    binaries["hello"] = hello.build(given.out / "programs")
    document = campaign.measure(programs, binaries, settings)
    return {**document, "figures": [each.to_dict() for each in demands.findings(document)]}


def write_page(document: dict[str, Any]) -> None:
    """The page with its picture, if there is something to draw."""
    picture = bool(document["tools"])
    if picture:
        figure.draw(document, PAGE.parent / page.PICTURE)
    PAGE.write_text(page.page(document, picture=picture))


def main() -> int:
    given = arguments()
    if given.page:
        write_page(json.loads(RESULTS.read_text()))
        return 0
    try:
        programs = plan.choose(plan.read(), given.only)
    except ValueError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 64
    if given.list:
        for program in programs:
            print(f"{program.name:20} {program.about}")
        return 0
    document = measured(given, programs)
    text = json.dumps(document, indent=1) + "\n"
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "results.json").write_text(text)
    table.show(document, Console())
    if not given.quick and not given.only:
        RESULTS.write_text(text)
        write_page(document)
        print(f"bench: {PAGE.relative_to(ROOT)} is made anew", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
