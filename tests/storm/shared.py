"""Storms of shared memory: `make shared-storm` runs them and writes docs/shared-storm.md.

Many cores at once for few pages and locks (systems/svm/programs/storm.c), and random programs of
threads (systems/crf/programs/random.c), whose ends are those of the same source on this host. Each
program also checks itself what came out. With `--models` random programs alone, over the lazy and
the strong model: docs/shared-storm-models.md. A run that ended is kept in out/shared-storm: after
an interruption the storm goes on from there, and the page has the commit of each.
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from kept import portions, provenance

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/shared-storm.md"
MODELS_PAGE = ROOT / "docs/shared-storm-models.md"
OUT = ROOT / "out/shared-storm"
RCK = (sys.executable, "-m", "rockcreek")
STORM = ("systems/svm/programs/storm.c", "-DRCCE_MAILBOX", "-lsvm", "-lrcce")
LIBRARIES = ("systems/crf", "systems/threads", "systems/svm")
RANDOM = ("systems/crf/programs/random.c", "-pthread")
EQUAL = r"(\d+) \1 "  # additions found and made
# Threads, programs in all, programs in a run: most are small.
MIX = ((3, 800, 100), (5, 120, 30), (8, 50, 25), (16, 20, 10), (48, 10, 2))
# What all cores storm, and for how many rounds: of 1,000 pages ten simulated seconds and more.
STORMS = (
    ("1,000 pages, 100 locks", "strong 1000 100", 1130),
    ("1,000 pages, 100 locks, lazy", "lazy 1000 100", 800),
    ("one page", "strong 1 1", 20),
)
MODELS = ("lazy", "strong")
MODELS_MIX = ((3, 30, 10), (5, 15, 5), (8, 5, 1))


@dataclass(frozen=True)
class Case:
    """One run, and what it must print; random programs must print what they do on this host."""

    what: str
    program: tuple[str, ...]
    cores: int
    arguments: str
    expect: str
    model: str = ""

    @property
    def name(self) -> str:
        """How its result is kept."""
        return f"{Path(self.program[0]).stem} {self.arguments} {self.model}".strip()


def cases(share: float) -> list[Case]:
    """All runs; `share` of the rounds and programs."""
    storms = [
        Case(what, STORM, 48, f"{sharing} {max(1, round(rounds * share))}",
             rf"{sharing.split()[0]} 48 {EQUAL}")
        for what, sharing, rounds in STORMS
    ]  # fmt: skip
    return random_programs(MIX, share) + storms


def random_programs(
    mix: tuple[tuple[int, int, int], ...], share: float, model: str = ""
) -> list[Case]:
    """Runs of them, numbered from one on."""
    first, found = 1, []
    for threads, programs, at_once in mix:
        for count in portions(programs, at_once, share):
            found.append(Case("random threads", RANDOM, threads, f"{threads} {first} {count}",
                              rf"random {count} programs, \d+ values, 0 wrong", model))  # fmt: skip
            first += count
    return found


def build(program: tuple[str, ...], *, host: bool) -> Path:
    """The program for the chip, or for this host."""
    source, *flags = program
    target = OUT / f"{Path(source).stem}{'-host' if host else ''}"
    compiler = ["cc"] if host else [*RCK, "cc"]
    subprocess.run([*compiler, "-O2", str(ROOT / source), *flags, "-o", str(target)], check=True)
    return target


def run(case: Case) -> dict[str, str | float]:
    """What came out, and how long it took."""
    program, result = build(case.program, host=False), OUT / "result.json"
    at, start = commit(), time.monotonic()
    command = [*RCK, "run", "-q", "-n", str(case.cores), "--tag", "none", "--json", str(result)]
    command += ["--threads-model", case.model] if case.model else []
    command += ["--force", str(program), *case.arguments.split()]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    found = ran.stdout.strip()
    if ran.returncode != 0 or not re.search(case.expect, found):
        raise SystemExit(f"{case.what}: {case.name}: {found}\n{ran.stderr}")
    if case.program == RANDOM:
        there = [str(build(case.program, host=True)), *case.arguments.split()]
        coherent = subprocess.run(there, capture_output=True, text=True, check=True).stdout.strip()
        if coherent != found:
            raise SystemExit(f"{case.name}: here {found}, on this host {coherent}")
    simulated = json.loads(result.read_text())["time_ps"] / 1e12
    print(f"{case.name}: {found}; {simulated:.3f} s simulated in "
          f"{time.monotonic() - start:.0f} s", flush=True)  # fmt: skip
    return {"found": found, "simulated": simulated, "commit": at, "day": str(today())}


def today() -> datetime.date:
    """The day that the page has."""
    return datetime.datetime.now(datetime.UTC).date()


def commit() -> str:
    """The last one that changed what runs on the chip."""
    ask = ["git", "log", "-1", "--format=%h", "--abbrev=12", "--", *LIBRARIES]
    return subprocess.run(ask, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def report(done: dict[str, dict[str, str | float]], wanted: list[Case]) -> None:
    """The page: storms by the run, random programs by the number of their threads."""
    ended = [case for case in wanted if case.name in done]
    rows = [
        f"| {case.what} | {case.cores} | `{case.arguments}` | `{done[case.name]['found']}` "
        f"| {done[case.name]['simulated']:.3f} | {done[case.name]['commit']} |"
        for case in ended
        if case.program == STORM
    ]
    table = []
    for threads, _, _ in MIX:
        found = [done[c.name] for c in ended if c.program == RANDOM and c.cores == threads]
        words = [str(item["found"]).split() for item in found]
        programs, values = sum(int(w[1]) for w in words), sum(int(w[3]) for w in words)
        simulated = sum(float(item["simulated"]) for item in found)
        table.append(f"| {threads} | {programs:,} | {values:,} | {simulated:.3f} |")
    total = sum(int(str(done[c.name]["found"]).split()[1]) for c in ended if c.program == RANDOM)
    when, left = provenance(done, [case.name for case in wanted])
    lines = [
        "# Storms of shared memory",
        "",
        "This page is generated by `make shared-storm` (`tests/storm/shared.py`): nothing in it is",
        f"typed. {when}; no run lost anything or did not end.",
        *left,
        "",
        f"{total:,} random programs of threads (`systems/crf/programs/random.c`) ended with the",
        "same memory as on this coherent host:",
        "",
        "| threads | programs | values checked | simulated s |",
        "| --: | --: | --: | --: |",
        *table,
        "",
        "| what | cores | arguments | output | simulated s | commit |",
        "| --- | --: | --- | --- | --: | --- |",
        *rows,
        "",
        "The output of `systems/svm/programs/storm.c` is the model, the cores, the additions found",
        "and made, page faults, requests passed on, and requests that waited for an access.",
    ]
    PAGE.write_text("\n".join(lines) + "\n")


def report_models(done: dict[str, dict[str, str | float]], wanted: list[Case]) -> None:
    """The page of the models, by model and number of threads."""
    rows = []
    for model in MODELS:
        for threads, _, _ in MODELS_MIX:
            ended = [done[c.name] for c in wanted
                     if (c.model, c.cores) == (model, threads) and c.name in done]  # fmt: skip
            words = [str(item["found"]).split() for item in ended]
            programs, values = sum(int(w[1]) for w in words), sum(int(w[3]) for w in words)
            simulated = sum(float(item["simulated"]) for item in ended)
            rows.append(f"| {model} | {threads} | {programs:,} | {values:,} | {simulated:.3f} |")
    when, left = provenance(done, [case.name for case in wanted])
    lines = [
        "# Random threads over the lazy and the strong model",
        "",
        "This page is generated by `make shared-storm ARGS=--models` (`tests/storm/shared.py`):",
        f"nothing in it is typed. {when}.",
        *left,
        "",
        "Random programs of threads (`systems/crf/programs/random.c`) ended with the same memory",
        "as on this coherent host:",
        "",
        "| model | threads | programs | values checked | simulated s |",
        "| --- | --: | --: | --: | --: |",
        *rows,
    ]
    MODELS_PAGE.write_text("\n".join(lines) + "\n")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Storms of shared memory.")
    parser.add_argument("--share", type=float, default=1.0, help="of the rounds; no page below 1")
    parser.add_argument("--only", default="", help="runs whose name has this")
    parser.add_argument("--fresh", action="store_true", help="run again what has run")
    parser.add_argument("--report", action="store_true", help="only the page, of what has run")
    parser.add_argument("--models", action="store_true", help="the lazy and the strong model")
    arguments = parser.parse_args()
    if shutil.which("cc") is None:
        raise SystemExit("random programs are compared with this host's: it needs a C compiler, cc")
    OUT.mkdir(parents=True, exist_ok=True)
    kept = OUT / "results.json"
    done = json.loads(kept.read_text()) if kept.exists() and not arguments.fresh else {}
    wanted = cases(arguments.share)
    if arguments.models:
        wanted = [c for m in MODELS for c in random_programs(MODELS_MIX, arguments.share, m)]
    for case in wanted:
        if arguments.report or case.name in done or arguments.only not in case.name:
            continue
        done[case.name] = run(case)
        kept.write_text(json.dumps(done, indent=1) + "\n")
    if arguments.share == 1:
        (report_models if arguments.models else report)(done, wanted)


if __name__ == "__main__":
    main()
