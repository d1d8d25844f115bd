"""`make bench-real`: programs that others wrote, by rck and other tools in turns.

Every run is kept at once in OUT/results.json: a campaign that was stopped goes on where it was, and
one at another commit begins anew. Without --only it also makes docs/performance.md anew.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from scripts.packages import FetchError

from benches import machine, others, peers, two_threads
from benches.__main__ import RESULTS, write_page
from benches.real import ledger, measure, plan, threads

SCHEMA = {"name": "rockcreek-bench-real", "version": 1}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benches.real", description=__doc__)
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="this program")
    parser.add_argument("--turns", type=int, default=3, help="runs of each")
    parser.add_argument("--other", metavar="RCK", help="the command rck of another version, too")
    parser.add_argument("--anew", action="store_true", help="forget what has been measured")
    parser.add_argument(
        "--ledger", action="store_true", help="find anew what each entry of the ledger costs"
    )
    parser.add_argument(
        "--refit",
        action="store_true",
        help="find these costs anew from the counts in benches/real/results.json",
    )
    parser.add_argument(
        "--threads", action="store_true", help="only rck, on one host thread and on two"
    )
    parser.add_argument("--no-peers", action="store_true", help="rck alone")
    parser.add_argument("--out", type=Path, default=plan.ROOT / "build" / "bench-real")
    parser.add_argument("--list", action="store_true", help="name the programs and end")
    parser.add_argument(
        "--page", action="store_true", help="only make the page anew from benches/real/results.json"
    )
    return parser.parse_args()


def campaign(given: argparse.Namespace, packages: Any, programs: list[plan.RealProgram]) -> Any:
    path = given.out / "results.json"
    document = _begun(path, anew=given.anew)
    tools = [] if given.no_peers else _tools(document)
    programs = _made(programs, document["missing"])
    built = {each.name: plan.provide(each, packages, given.out.resolve()) for each in programs}
    for turn in range(given.turns):
        for program in programs:
            told = {"about": program.about, "binds": program.binds, "cores": program.cores}
            record = document["programs"].setdefault(program.name, {"runs": {}})
            record.update(told)
            who = ["rck", *(["other"] if given.other else [])]
            for name in [*who, *filter(program.by, tools)]:
                runs = record["runs"].setdefault(name, [])
                if len(runs) <= turn:
                    runs.append(_once(program, built[program.name], name, given.other))
                    _alike(program, record["runs"])
                    path.write_text(json.dumps(document, indent=1) + "\n")
                    spent = runs[-1]["user_s"] + runs[-1]["system_s"]
                    print(f"bench-real: {program.name} by {name}: {spent:.2f} s", file=sys.stderr)
    if given.ledger:
        _count(document, programs, built)
        path.write_text(json.dumps(document, indent=1) + "\n")
    return document


def campaign_of_threads(given: argparse.Namespace, packages: Any, programs: Any) -> Any:
    paired = _made([program for program in programs if program.two_threads], {})
    out = given.out.resolve()
    return threads.campaign(
        [(each, plan.provide(each, packages, out)) for each in paired], given.turns
    )


def _made(programs: list[plan.RealProgram], missing: dict[str, str]) -> list[plan.RealProgram]:
    """The programs for which all is there; notes what is missing for the others."""
    able = []
    for program in programs:
        missing.pop(program.name, None)
        if program.missing:
            missing[program.name] = program.missing
            print(f"bench-real: without {program.name}: {program.missing}", file=sys.stderr)
        else:
            able.append(program)
    return able


def _begun(path: Path, *, anew: bool) -> Any:
    """What has been measured of this version on this machine."""
    here = machine.describe()
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_file() and not anew:
        document = json.loads(path.read_text())
        if all(document["machine"][key] == here[key] for key in ("commit", "engine", "processor")):
            return document
    return {"schema": SCHEMA, "machine": here, "tools": {}, "missing": {}, "programs": {}}


def _count(document: Any, programs: list[plan.RealProgram], built: dict[str, plan.Built]) -> None:
    rck = peers.rck()[0]
    for program in programs:
        counted = ledger.count(program, built[program.name], rck)
        document["programs"][program.name]["ledger"] = counted
    ledger.write(document, ledger.start_ns(rck))


def _tools(document: Any) -> list[str]:
    able = []
    for name, tool in measure.TOOLS.items():
        if shutil.which(tool.prefix[0]) is None:
            document["missing"][name] = f"{tool.prefix[0]} is not installed; {tool.get}"
            print(f"bench-real: without {name}: {document['missing'][name]}", file=sys.stderr)
        else:
            document["tools"][name] = {"about": tool.about, "version": tool.version()}
            able.append(name)
    return able


def _once(program: plan.RealProgram, built: plan.Built, name: str, other: str | None) -> Any:
    if name in measure.TOOLS:
        return measure.run_tool(program, built, name)
    rck = other if name == "other" and other else peers.rck()[0]
    return measure.run_rck(program, built, rck)


def _alike(program: plan.RealProgram, runs: Any) -> None:
    """All tools come to the same result, and all runs of this version to the same state."""
    digests = {run["digest"] for each in runs.values() for run in each}
    states = {run["execution"]["state_hash"] for run in runs.get("rck", [])}
    if len(digests) > 1 or len(states) > 1:
        raise measure.WrongResultError(f"{program.name}: two runs come to different results")


def main() -> int:
    given = arguments()
    if given.refit:
        ledger.write(json.loads(others.RESULTS.read_text()), ledger.start_ns(peers.rck()[0]))
    if given.page or given.refit:
        write_page(json.loads(RESULTS.read_text()))
        return 0
    try:
        packages, programs = plan.read()
        programs = plan.choose(programs, given.only)
    except ValueError as error:
        print(f"bench-real: {error}", file=sys.stderr)
        return 64
    if given.list:
        for program in programs:
            print(f"{program.name:20} {program.about}")
        return 0
    part = two_threads if given.threads else others
    try:
        document = (campaign_of_threads if given.threads else campaign)(given, packages, programs)
    except (FetchError, measure.WrongResultError, subprocess.CalledProcessError) as error:
        print(f"bench-real: {error}", file=sys.stderr)
        return 1
    print("\n".join(part.lines(document)))
    if not given.only:
        part.RESULTS.write_text(json.dumps(document, indent=1) + "\n")
        write_page(json.loads(RESULTS.read_text()))
        print("bench-real: docs/performance.md is made anew", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
