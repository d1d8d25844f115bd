"""Waiting programs under many jitters, in every way of executing them: `make jitters`.

A jitter moves the releases of the cores, and with them which events of two cores fall on one
instant. Each program runs on the SCC, at other clocks, and on a chip whose packets go along the
column first.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import rockcreek
from rockcreek import description

ROOT = Path(__file__).resolve().parents[2]
WAYS: list[dict[str, Any]] = [{"skip": False}, {"translate": False}, {"threads": 2}]
CHIPS: dict[str, dict[str, Any]] = {
    "scc": {},
    "800/1600/1066": {"clocks": "800/1600/1066"},
    "yx": {"alternatives": {"topology.routing": "yx"}},
}
FLAGS = ["-O2", "-lrcce"]
# The program, what it is compiled with, and how long it runs at most, in milliseconds.
PROGRAMS: list[tuple[str, list[str], float]] = [
    ("tests/chip/waits.c", FLAGS, 1.4),
    ("tests/rcce/locks.c", FLAGS, 2.5),
    ("tests/rcce/barrier_storm.c", FLAGS, 2.5),
    ("tests/ircce/exchange.c", [*FLAGS, "-lircce"], 3),
]


def differing(program: Path, chip: Any, until_ps: int) -> list[dict[str, Any]]:
    """The ways that leave another chip or other counts than the ordinary one."""

    def end(way: dict[str, Any]) -> tuple[Any, ...]:
        found = rockcreek.run(program, n=48, chip=chip, until_ps=until_ps, **way)
        return found.end, found.time_ps, found.state_hash, found.stdout, found.statistics

    ordinary = end({})
    return [way for way in WAYS if end(way) != ordinary]


def main() -> int:
    """The exit code: 1 if a way differed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=1, help="the first jitter")
    parser.add_argument("--jitters", type=int, default=25, help="the number of jitters")
    given = parser.parse_args()
    scc = description.load("scc")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for source, flags, until_ms in PROGRAMS:
            program = Path(folder) / Path(source).stem
            compile_it = [sys.executable, "-m", "rockcreek", "cc", *flags, "-o", str(program)]
            subprocess.run([*compile_it, str(ROOT / source)], check=True)
            for jitter in range(given.first, given.first + given.jitters):
                for name, change in CHIPS.items():
                    chip = scc.set_up(jitter=jitter, **change)
                    # No multiple of a clock's period.
                    ways = differing(program, chip, round(until_ms * 1e9) + 123)
                    if ways:
                        failed += 1
                        print(f"{source}, {name}, jitter {jitter}: {ways}", flush=True)
            print(f"{source}: {given.jitters} jitters on {len(CHIPS)} chips done", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
