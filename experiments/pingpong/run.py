"""The ping-pong of core 0 with every other core: run it, tell it, draw it.

Each pair is a run of its own on a chip whose other 46 cores stay in reset, so the pairs can be
simulated side by side; the result does not depend on how many processes do it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import tomllib
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import analysis
import figure
import rockcreek
from rockcreek import description as descriptions

FOLDER = Path(__file__).resolve().parent
SCHEMA = {"name": "rockcreek-pingpong", "version": 1}


def compile_guest(folder: Path) -> Path:
    """Build pingpong.c with `rck cc`."""
    program = folder / "pingpong"
    command = [sys.executable, "-m", "rockcreek", "cc", "-O2", "-Wall", "-Wextra"]
    subprocess.run([*command, str(FOLDER / "pingpong.c"), "-o", str(program)], check=True)
    return program


def hops_between(chip: descriptions.Description, a: int, b: int) -> int:
    """Distance of two cores on the mesh, X first, then Y."""
    (ax, ay), (bx, by) = chip.tile_of(a), chip.tile_of(b)
    return abs(ax - bx) + abs(ay - by)


def run_pair(program: str, core: int) -> tuple[int, str, int, int]:
    """Core 0 and `core` on a chip of their own: (core, output, instructions, simulated ps)."""
    result = rockcreek.run(program, cores=[0, core], tag="none")
    if result.exit_code != 0:
        result.check()
        raise SystemExit(f"pingpong with core {core}: {result.stdout.decode()}")
    return core, result.stdout.decode(), result.instructions, result.time_ps


def run_all(
    program: Path, chip: descriptions.Description, processes: int
) -> tuple[list[analysis.Measurement], int, int]:
    """All pairs, in the order of the cores; with the instructions and the time they took."""
    cores = range(1, chip.core_count)
    measurements: list[analysis.Measurement] = []
    instructions = time_ps = 0
    with ProcessPoolExecutor(processes) as pool:
        jobs = [pool.submit(run_pair, str(program), core) for core in cores]
        for done, job in enumerate(jobs, start=1):
            core, text, executed, ended = job.result()
            measurements += analysis.parse(core, hops_between(chip, 0, core), text)
            instructions += executed
            time_ps += ended
            if sys.stderr.isatty():
                print(f"\rcore {core:2d}: {done} of {len(jobs)} pairs", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return measurements, instructions, time_ps


def report(out: Path, processes: int) -> str:
    """Run the experiment, write JSON and picture to `out`, and return the table."""
    start = time.monotonic()
    out.mkdir(parents=True, exist_ok=True)
    chip = descriptions.load("scc")
    published = tomllib.loads((FOLDER / "published.toml").read_text())
    clocks = chip.values["clocks"]
    period_ps = 10**6 * clocks["tile_divider"]["value"] // clocks["fast"]["value"]

    measurements, instructions, time_ps = run_all(compile_guest(out), chip, processes)
    summary = analysis.summarise(measurements, period_ps)
    wall_s = time.monotonic() - start
    result: dict[str, Any] = {
        "schema": SCHEMA,
        "chip": {"name": chip.name, "title": chip.title, "sha256": chip.sha256},
        "period_ps": period_ps,
        "simulated_ps": time_ps,
        "instructions": instructions,
        "results": summary,
        "measurements": [vars(m) for m in measurements],
        "published": published,
        "host": {
            "wall_s": round(wall_s, 3),
            "mips": round(instructions / wall_s / 1e6, 3),
            "processes": processes,
            "version": rockcreek.__version__,
        },
    }
    (out / "pingpong.json").write_text(json.dumps(result, indent=1) + "\n")
    figure.save(out / "pingpong.png", chip, summary, published)
    told = (
        f"{instructions / 1e6:.0f} million instructions in {wall_s:.1f} s; see {out}/pingpong.png"
    )
    return analysis.table(summary, published) + "\n" + told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/demo"), help="folder for the files")
    parser.add_argument(
        "--processes", type=int, default=min(os.cpu_count() or 1, 8), help="pairs at a time"
    )
    arguments = parser.parse_args()
    print(report(arguments.out, arguments.processes))


if __name__ == "__main__":
    main()
