"""`make stress`: 10 million messages (MESSAGES=...), many placements, clocks and start times.

Each run has a seed of its own, which chooses cores, start times, clocks and all messages; a run
that fails prints the command that repeats it.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
RCK = [sys.executable, "-m", "rockcreek"]
PER_RUN = 100_000
CORES = 48


def command(program: Path, seed: int, messages: int) -> list[str]:
    """One run, chosen by its seed."""
    choose = random.Random(seed)
    count = choose.choice([2, 3, 5, 8, 13, 24, CORES])
    cores = choose.sample(range(CORES), count)
    line = [*RCK, "run", "-q", "--tag", "none", "--cores", ",".join(map(str, cores))]
    if choose.random() < 0.75:
        line += ["--jitter", str(seed)]
    line += [str(program), str(messages), str(seed)]
    if choose.random() < 0.5:
        line.append("vary")
    return line


def main() -> int:
    """All runs; 1 after the first that fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "storm"
        build = [*RCK, "cc", "-O2", str(HERE / "storm.c"), "-lircce", "-lrcce", "-o", str(program)]
        subprocess.run(build, check=True)
        done, seed = 0, arguments.seed
        while done < arguments.messages:
            line = command(program, seed, min(PER_RUN, arguments.messages - done))
            run = subprocess.run(line, capture_output=True, text=True, check=False)
            match = re.fullmatch(r"(\d+) messages, 0 wrong or left\n", run.stdout)
            if run.returncode != 0 or match is None:
                print(f"storm: FAILED: {' '.join(line)}\n{run.stdout}{run.stderr}")
                return 1
            done += int(match[1])
            seed += 1
            minutes = (time.monotonic() - start) / 60
            print(f"storm: {done:,} messages, none lost or wrong, {minutes:.1f} min", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
