"""`make mpi-storm`: random MPI messages at random placements, clocks, channels and ways to wait.

Each run is programs/storm_mpi.c with a seed, which chooses all. A run that fails prints the command
that repeats it. Seeds that have run with the same libraries are kept in build/mpi/storm.jsonl, so
that after an interruption the same command goes on; --anew forgets them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
RCK = str(ROOT / ".venv/bin/rck")
COUNTS = (2, 2, 3, 4, 5, 8, 16)
CLOCKS = ("533/800/800", "800/1600/1066", "533/1600/800", "400/800/1066")
CHANNELS = ("original", "improved", "bells")
WAITS = ("poll", "interrupts")
KEPT = ROOT / "build/mpi/storm.jsonl"
LIBRARIES = ("build/mpi/install/lib/libmpi.a", "python/rockcreek/_guest/sysroot/lib/librckmpi.a")
TOLD = re.compile(r"storm: (\d+) messages between \d+ ranks: all whole\n")


def command(program: Path, seed: int) -> list[str]:
    """One run, chosen by its seed."""
    choose = random.Random(seed)
    count = choose.choice(COUNTS)
    # Now and then all messages may be large.
    largest, each = choose.choice([(20_000, 1000), (5_000, 2000), (300, 4000), (1 << 20, 40)])
    line = [RCK, "mpirun", "--channel", choose.choice(CHANNELS), "--wait", choose.choice(WAITS)]
    line += ["--cores", ",".join(map(str, choose.sample(range(48), count)))]
    line += ["--clocks", choose.choice(CLOCKS), "--jitter", str(seed), "-q", "--tag", "none"]
    return [*line, "--timeout", "900s", str(program), str(each), str(largest), str(seed)]


def libraries() -> str:
    """Which they are."""
    found = hashlib.sha256()
    for name in LIBRARIES:
        found.update((ROOT / name).read_bytes())
    return found.hexdigest()[:16]


def kept(built: str) -> dict[int, int]:
    """Messages by seed, of runs with these libraries."""
    lines = KEPT.read_text().splitlines() if KEPT.is_file() else []
    known = map(json.loads, lines)
    return {one["seed"]: one["messages"] for one in known if one["libraries"] == built}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--anew", action="store_true", help="forget which seeds have run")
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.anew:
        KEPT.unlink(missing_ok=True)
    built = libraries()
    known = kept(built)
    done, seed, began = 0, options.seed, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "storm"
        source = HERE.parent / "programs/storm_mpi.c"
        subprocess.run([RCK, "mpicc", "-O2", str(source), "-o", str(program)], check=True)
        while done < options.messages:
            if seed in known:
                done += known[seed]
                seed += 1
                continue
            line = command(program, seed)
            run = subprocess.run(line, capture_output=True, text=True, check=False)
            match = TOLD.fullmatch(run.stdout)
            if run.returncode != 0 or match is None:
                print(f"mpi-storm: FAILED: {' '.join(line)}\n{run.stdout}{run.stderr}")
                return 1
            done += int(match.group(1))
            with KEPT.open("a") as file:
                one = {"seed": seed, "messages": int(match.group(1)), "libraries": built}
                file.write(json.dumps(one) + "\n")
            print(f"mpi-storm: seed {seed}: {done:,} messages, {time.monotonic() - began:.0f} s",
                  flush=True)  # fmt: skip
            seed += 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
