"""`make ruby-storm`: random calls between objects of 16 cores, in batches of a seed each.

Each batch is programs/storm.rb, on one host thread and again on two: each answer must be right, and
both must write the same bytes, among them the chip's time at the end. What has run with the same
sources is kept in build/ruby-storm.jsonl, so that the same command goes on; --anew forgets it.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from pathlib import Path

from rockcreek.errors import RockcreekError
from rockcreek.interpreters import ruby
from rockcreek.repro.checkout import commit

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = ROOT / "systems/ruby/programs/storm.rb"
KEPT = ROOT / "build/ruby-storm.jsonl"
CORES = 16
EACH = 20  # calls of each core in a batch
TOLD = re.compile(r"ue \d+: made (\d+), served (\d+), digest [0-9a-f]{8}, at [\d.]+ s")


def run(seed: int, threads: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rockcreek", "ruby", "-q", "-n", str(CORES)]
    command += ["--threads", str(threads), "--timeout", "7200s", str(PROGRAM), str(EACH), str(seed)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def counts(ran: subprocess.CompletedProcess[str]) -> tuple[int, int] | None:
    """Calls made by the cores' threads, and all that were served, nested ones too; None: wrong."""
    told = TOLD.findall(ran.stdout)
    if ran.returncode != 0 or len(told) != CORES or ran.stderr:
        return None
    return sum(int(made) for made, _ in told), sum(int(served) for _, served in told)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--anew", action="store_true", help="forget which seeds have run")
    parser.add_argument("--calls", type=int, default=100_000, help="served, nested ones too")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        ruby.interpreter()
    except RockcreekError as error:
        sys.exit(f"ruby-storm: {error}")
    if options.anew:
        KEPT.unlink(missing_ok=True)
    built = ruby.SOURCES.digest()
    at = commit(ROOT, "crates", "guest", "python", "machine", "systems/ruby")
    lines = KEPT.read_text().splitlines() if KEPT.is_file() else []
    known = {one["seed"]: one for one in map(json.loads, lines) if one["ruby"] == built}
    served, seed, began = 0, options.seed, time.monotonic()
    while served < options.calls:
        if seed not in known:
            first, second = run(seed, 1), run(seed, 2)
            count = counts(first)
            if count is None or second.stdout != first.stdout:
                print(f"ruby-storm: seed {seed}: FAILED\n{first.stdout}{first.stderr}")
                print(f"on two threads:\n{second.stdout}{second.stderr}")
                return 1
            known[seed] = {"seed": seed, "made": count[0], "served": count[1], "ruby": built}
            with KEPT.open("a") as file:
                file.write(json.dumps({**known[seed], "commit": at}) + "\n")
        served += known[seed]["served"]
        print(f"ruby-storm: seed {seed}: {served:,} calls, {time.monotonic() - began:.0f} s",
              flush=True)  # fmt: skip
        seed += 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
