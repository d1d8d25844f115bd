"""MESH under storm: random operations by 48 cores, cores and clocks drawn by a seed.

python systems/mesh/storm.py --operations 100000 --seed 1
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SYSTEM = Path(__file__).resolve().parent
RCK = (sys.executable, "-m", "rockcreek")
TILES, MESHES, MEMORIES = (200, 320, 400, 533, 800), (800, 1600), (800, 1066)
NOTHING_LEFT = re.compile(r"added (\d+), found \1; left: 0 shared objects, 0 bytes, 0 objects\n")


def main() -> int:
    """One storm; 0 if nothing was lost, doubled or left."""
    parser = argparse.ArgumentParser(description="Random operations on shared objects of MESH.")
    parser.add_argument("--operations", type=int, default=100_000)
    parser.add_argument("--objects", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cores", type=int, default=48)
    parser.add_argument("--check", action="store_true", help="with the coherence checker")
    asked = parser.parse_args()
    rng = random.Random(asked.seed)
    cores = ",".join(map(str, rng.sample(range(48), asked.cores)))
    clocks = "/".join(str(rng.choice(choice)) for choice in (TILES, MESHES, MEMORIES))
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "storm"
        source = SYSTEM / "programs" / "storm.cpp"
        build = [*RCK, "c++", "-O2", source, "-lmesh", "-lrcce", "-o", program]
        subprocess.run(build, check=True)
        options = ["--cores", cores, "--clocks", clocks, "--jitter", str(asked.seed)]
        arguments = [str(n) for n in (asked.operations, asked.objects, asked.seed)]
        options += ["--check", "error"] if asked.check else []
        command = [*RCK, "run", "--tag", "none", *options, program, *arguments]
        ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    print(f"clocks {clocks}, cores {cores}\n{ran.stdout}", end="")
    return 0 if ran.returncode == 0 and NOTHING_LEFT.fullmatch(ran.stdout) else 1


if __name__ == "__main__":
    raise SystemExit(main())
