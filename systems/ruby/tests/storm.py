"""`make ruby-storm`: random calls between objects of 16 cores, in batches of a seed each.

Each batch is programs/storm.rb: each answer must be right. Every twentieth one runs on one host
thread and again on two, which must write the same bytes, among them the chip's time at the end.
What has run with the same sources is kept in build/ruby-storm.jsonl, so that the same command goes
on; --anew forgets it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from rockcreek.errors import RockcreekError
from rockcreek.interpreters import ruby
from rockcreek.repro.checkout import commit

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = ROOT / "systems/ruby/programs/storm.rb"
KEPT = ROOT / "build/ruby-storm.jsonl"
CORES = 16
EACH = 100  # calls of each core in a batch
TWICE_IN = 20  # batches, of which the first runs on two host threads, too
TOLD = re.compile(
    r"ue \d+: made (\d+), served (\d+), (\d+) collections, digest [0-9a-f]{8}, at ([\d.]+) s"
)


def run(seed: int, threads: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rockcreek", "ruby", "-q", "-n", str(CORES)]
    command += ["--threads", str(threads), "--timeout", "7200s", str(PROGRAM), str(EACH), str(seed)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def counts(ran: subprocess.CompletedProcess[str]) -> dict[str, Any] | None:
    """Calls made by the cores' threads, all that were served, nested ones too, the collections of
    garbage of all cores, and the chip's seconds; None: something is wrong."""
    told = TOLD.findall(ran.stdout)
    if ran.returncode != 0 or len(told) != CORES or ran.stderr:
        return None
    made, served, collections = (sum(int(one[n]) for one in told) for n in range(3))
    last = max(float(one[3]) for one in told)
    return {"made": made, "served": served, "collections": collections, "seconds": last}


def batch(seed: int) -> dict[str, Any] | None:
    """What a batch counted; None: it failed, and was shown."""
    threads = [1, 2] if seed % TWICE_IN == 1 else [1]
    ran = [run(seed, number) for number in threads]
    count = counts(ran[0])
    if count is not None and all(one.stdout == ran[0].stdout for one in ran):
        return {"seed": seed, **count, "host_threads": threads}
    print(f"ruby-storm: seed {seed}: FAILED")
    for number, one in zip(threads, ran, strict=True):
        print(f"on {number} host threads: exit code {one.returncode}\n{one.stdout}{one.stderr}")
    return None


def sources() -> str:
    """What the batches depend on, but for the chip and the kernel."""
    what = f"{ruby.SOURCES.digest()} {EACH} {PROGRAM.read_text()}"
    return hashlib.sha256(what.encode()).hexdigest()


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
    stamp = {
        "sources": sources(),
        "commit": commit(ROOT, "crates", "guest", "python", "machine", "systems/ruby"),
    }
    lines = KEPT.read_text().splitlines() if KEPT.is_file() else []
    kept = map(json.loads, lines)
    known = {one["seed"]: one for one in kept if one.get("sources") == stamp["sources"]}
    served, seed, began = 0, options.seed, time.monotonic()
    while served < options.calls:
        if seed not in known:
            ran = batch(seed)
            if ran is None:
                return 1
            known[seed] = ran
            with KEPT.open("a") as file:
                file.write(json.dumps({**ran, **stamp}) + "\n")
        served += known[seed]["served"]
        print(f"ruby-storm: seed {seed}: {served:,} calls, {time.monotonic() - began:.0f} s",
              flush=True)  # fmt: skip
        seed += 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
