"""`make linux-cost`: what Linux costs programs of RCCE, beside our own kernel.

Each program of cost.toml runs once under both; the numbers are those of its region of interest
(RCCE_init to RCCE_finalize), of all its cores together. Nothing is measured of a program whose
output differs by more than numbers.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
RCK = str(ROOT / ".venv/bin/rck")
KERNELS = ("rck", "linux")
HEAD = """\
| program | cores | time | IPC | L1I misses | interrupts |
| --- | --: | --: | --: | --: | --: |
"""
_NUMBER = re.compile(r"[-+]?\d[\d,]*(\.\d+)?([eE][-+]?\d+)?")


class CostError(Exception):
    """A program that says nothing about Linux, in words."""


@dataclass(frozen=True)
class Cost:
    """What the cores of a program did in its region."""

    time_ps: int
    cycles: int
    instructions: int
    l1i_misses: int
    interrupts: int

    @property
    def ipc(self) -> float:
        return self.instructions / self.cycles


def of_result(result: dict[str, Any]) -> Cost:
    """Of `rck run --json`."""
    roi = result.get("roi")
    if roi is None:
        raise CostError("the program has no region of interest")
    counters = [core["counters"]["core"] for core in roi["cores"]]
    return Cost(
        time_ps=roi["time_ps"],
        cycles=sum(core["cycles"] for core in roi["cores"]),
        instructions=roi["instructions"],
        l1i_misses=roi["totals"]["l1i_misses"],
        interrupts=sum(one["interrupts"] for one in counters),
    )


def same_but_numbers(one: str, other: str) -> bool:
    """Whether two outputs differ in numbers at most; cores may end in another order.

    >>> same_but_numbers("3.62 us\\nb 2\\n", "b 4\\n 3.69 us\\n"), same_but_numbers("a\\n", "b\\n")
    (True, False)
    """
    return _words(one) == _words(other)


def _words(text: str) -> list[list[str]]:
    return sorted(_NUMBER.sub("#", line).split() for line in text.splitlines())


def row(name: str, cores: int, own: Cost, linux: Cost) -> str:
    """A line of the table: our own kernel, then Linux."""
    change = (linux.time_ps / own.time_ps - 1) * 100
    cells = (
        name,
        str(cores),
        f"{_time(own.time_ps)} {_time(linux.time_ps)} ({change:+.1f} %)",
        f"{own.ipc:.3f} {linux.ipc:.3f}",
        f"{own.l1i_misses:,} {linux.l1i_misses:,}",
        f"{own.interrupts:,} {linux.interrupts:,}",
    )
    return f"| {' | '.join(cells)} |"


def _time(ps: int) -> str:
    return f"{ps / 1e9:.3f} ms"


def prepared(entry: dict[str, Any], folder: Path) -> Path:
    """The program's file in the folder."""
    if "example" in entry:
        found = subprocess.run(
            [RCK, "examples", entry["example"]], capture_output=True, text=True, check=True
        )
        return Path(found.stdout.strip())
    target = folder / re.sub(r"\W+", "-", entry["name"])
    sources = [str(path) for word in entry["sources"] for path in sorted(ROOT.glob(word))]
    subprocess.run([RCK, "cc", *sources, *entry["options"], "-o", str(target)], check=True)
    return target


def measured(kernel: str, program: Path, entry: dict[str, Any], folder: Path) -> tuple[str, Cost]:
    """Output and cost of one run."""
    file = folder / f"{kernel}.json"
    command = [RCK, "run", "-q", "--tag", "none", "--kernel", kernel, "--json", str(file)]
    command += ["--force", "-n", str(entry.get("cores", 2)), str(program)]
    command += entry.get("arguments", [])
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode != 0:
        raise CostError(f"exit code {done.returncode} under {kernel}: {done.stderr.strip()[-300:]}")
    return done.stdout, of_result(json.loads(file.read_text()))


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "build/linux/cost")
    parser.add_argument("--only", default="", help="programs whose name has this")
    options = parser.parse_args(words)
    options.folder.mkdir(parents=True, exist_ok=True)
    table = tomllib.loads((HERE / "cost.toml").read_text(encoding="utf-8"))
    failed = 0
    print(HEAD, end="", flush=True)
    for entry in table["program"]:
        name = entry.get("name", entry.get("example", ""))
        if options.only not in name:
            continue
        try:
            program = prepared(entry, options.folder)
            found = [measured(kernel, program, entry, options.folder) for kernel in KERNELS]
            if not same_but_numbers(found[0][0], found[1][0]):
                raise CostError("its output is not that of our own kernel")
        except (CostError, subprocess.CalledProcessError) as error:
            print(f"linux-cost: {name}: {error}", file=sys.stderr)
            failed = 1
            continue
        print(row(name, entry.get("cores", 2), found[0][1], found[1][1]), flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
