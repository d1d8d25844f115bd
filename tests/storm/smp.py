"""Storms of one machine with several processors: `make smp-storm` runs them, docs/smp-storm.md.

All 48 processors of RockyVisor's small guest want one lock and 1,000 pages for ten simulated
seconds. And 500 random programs of threads and processes run in `rck smp`: each prints what the
same file prints on this host. What has ended is kept in out/smp-storm; after an interruption the
storm goes on from there.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from kept import portions, provenance

from rockcreek import resources
from rockcreek.repro.checkout import commit

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/smp-storm.md"
OUT = ROOT / "out/smp-storm"
RCK = (sys.executable, "-m", "rockcreek")
PARTS = ("crates", "guest", "python", "machine", "systems/rockyvisor")
THREADS = "systems/crf/programs/random.c"
PROCESSES = "systems/rockyvisor/linux/tests/family"
BOMB = "systems/rockyvisor/linux/tests/bomb.c"
PROCESSORS = 4
# Threads of a program, programs in all, programs in a run.
MIX = ((3, 200, 50), (8, 160, 40), (16, 40, 10))
FAMILIES = (100, 25)
AT_ONCE = 200
PAGES_MS = 10_000
LEAST_SHARE = 5  # nobody has less than this part of what all have in the mean


@dataclass(frozen=True)
class Case:
    """One run: of a program (a source, or a folder of them) with its words, or of the guest."""

    what: str
    source: str
    words: str
    processors: int = PROCESSORS
    programs: int = 0

    @property
    def name(self) -> str:
        return f"{Path(self.source).stem} {self.words}"


def cases(share: float) -> list[Case]:
    """All runs; `share` of the programs and of the time."""
    found, first = [], 1
    for threads, programs, at_once in MIX:
        for count in portions(programs, at_once, share):
            what = f"{threads} threads"
            found.append(Case(what, THREADS, f"{threads} {first} {count}", programs=count))
            first += count
    for count in portions(*FAMILIES, share):
        found.append(Case("2 to 8 processes", PROCESSES, f"{first} {count}", programs=count))
        first += count
    found.append(Case(f"{AT_ONCE} processes at once", BOMB, str(AT_ONCE)))
    ms = max(1, round(PAGES_MS * share))
    found.append(Case("one lock, 1,000 pages", "guest", f"pages {ms}", 48))
    return found


def run(case: Case) -> dict[str, str | float]:
    """What came out; ends if it is not what must."""
    result, at, start = OUT / "result.json", commit(ROOT, *PARTS), time.monotonic()
    machine, *words = _guest(case) if case.source == "guest" else _program(case)
    command = [*RCK, machine, "-q", "--json", str(result), "--force", *words]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    found = ran.stdout.strip()
    why = judge_pages(found) if case.source == "guest" else _compare(case, found)
    if ran.returncode != 0 or why:
        raise SystemExit(f"{case.name}: {why}\n{found}\n{ran.stderr}")
    simulated = json.loads(result.read_text())["time_ps"] / 1e12
    seconds = time.monotonic() - start
    print(f"{case.name}: {simulated:.3f} s simulated in {seconds:.0f} s: {found}", flush=True)
    day = datetime.now(UTC).date().isoformat()
    return {"found": found, "simulated": simulated, "commit": at, "day": day}


def _guest(case: Case) -> list[str]:
    folder, cores = resources.GUEST / "rockyvisor", f"0-{case.processors - 1}"
    return ["boot", "--tag", "none", "--cores", cores, "--append", f"cores={cores} -- {case.words}",
            str(folder / "visor.elf"), "--module", str(folder / "guest.elf")]  # fmt: skip


def _program(case: Case) -> list[str]:
    return ["smp", "--memory", "48M", "-n", str(case.processors), str(build(case.source)),
            *case.words.split()]  # fmt: skip


def build(source: str) -> Path:
    """The program, which runs on this host too."""
    target, path = OUT / Path(source).stem, ROOT / source
    sources = map(str, sorted(path.glob("*.c")) if path.is_dir() else [path])
    command = [*RCK, "cc", "-O2", "-pthread=core", *sources, "-o", str(target)]
    subprocess.run(command, check=True)
    return target


def _compare(case: Case, found: str) -> str | None:
    command = [str(OUT / Path(case.source).stem), *case.words.split()]
    here = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    return None if found == here else f"on this host: {here}"


def judge_pages(found: str) -> str | None:
    """What is wrong with what the small guest tells of its pages.

    >>> told = "changes of a processor, mean: 90\\nchanges of the slowest: 20"
    >>> judge_pages(told + "\\nchanges lost: 0\\npages seen half changed: 0")
    >>> judge_pages(told + "\\nchanges lost: 3\\npages seen half changed: 0")
    'changes lost: 3'
    >>> judge_pages(told.replace("20", "17") + "\\nchanges lost: 0\\npages seen half changed: 0")
    'changes of the slowest: 17'
    """
    told = dict(re.findall(r"^(.+): (\d+)$", found, re.MULTILINE))
    if len(told) < 4:
        return "no result"
    for name in ("changes lost", "pages seen half changed"):
        if told[name] != "0":
            return f"{name}: {told[name]}"
    slowest = "changes of the slowest"
    if int(told[slowest]) * LEAST_SHARE < int(told["changes of a processor, mean"]):
        return f"{slowest}: {told[slowest]}"
    return None


def report(done: dict[str, dict[str, str | float]], wanted: list[Case]) -> None:
    """The page."""
    ended = [case for case in wanted if case.name in done]
    rows = []
    for what in dict.fromkeys(case.what for case in ended if case.programs):
        mine = [case for case in ended if case.what == what]
        values = sum(int(str(done[c.name]["found"]).split()[3]) for c in mine)
        simulated = sum(float(done[c.name]["simulated"]) for c in mine)
        count = sum(case.programs for case in mine)
        rows.append(f"| {what} | {count} | {values:,} | {simulated:.3f} |")
    others = [
        f"| {case.what} | {case.processors} | {_in_a_line(done[case.name])}"
        f" | {done[case.name]['simulated']:.3f} |"
        for case in ended
        if not case.programs
    ]
    when, left = provenance(done, [case.name for case in wanted])
    lines = [
        "# Storms of one machine with several processors",
        "",
        "Generated by `make smp-storm` (`tests/storm/smp.py`): nothing in it is typed.",
        f"{when}.",
        *left,
        "",
        f"Random programs in one Linux on {PROCESSORS} cores (`rck smp`) printed what the same",
        "files print on this host, also a sum over their memory:",
        "",
        "| each of | programs | values checked | simulated s |",
        "| --- | --: | --: | --: |",
        *rows,
        "",
        "| what | processors | output | simulated s |",
        "| --- | --: | --- | --: |",
        *others,
        "",
    ]
    PAGE.write_text("\n".join(lines))


def _in_a_line(result: dict[str, str | float]) -> str:
    return "; ".join(str(result["found"]).splitlines())


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="make smp-storm")
    parser.add_argument("--share", type=float, default=1.0, help="of all; no page below 1")
    parser.add_argument("--only", default="", help="runs whose name has this")
    parser.add_argument("--fresh", action="store_true", help="run again what has run")
    parser.add_argument("--report", action="store_true", help="only the page, of what has run")
    arguments = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    kept = OUT / "results.json"
    done = json.loads(kept.read_text()) if kept.exists() and not arguments.fresh else {}
    wanted = cases(arguments.share)
    for case in wanted:
        if arguments.report or case.name in done or arguments.only not in case.name:
            continue
        done[case.name] = run(case)
        kept.write_text(json.dumps(done, indent=1) + "\n")
    if arguments.share == 1:
        report(done, wanted)


if __name__ == "__main__":
    main()
