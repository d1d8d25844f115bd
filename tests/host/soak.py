"""`make soak`: the host's memory under a program that rewrites its code on 8 cores, for an hour.

What is decoded and translated of code that is gone must go, too: the engine keeps it until there
is a limit's worth, then drops all, so the memory rises and falls every few minutes. Every few
seconds the kernel is asked for the highest size since the time before: single instants would miss
the tops. Behind the first half of the time (at most ten minutes) none may be higher than before.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
MIB = 1 << 20
# What a flat memory may still grow by: the allocator's pages.
SLACK_BYTES = 32 * MIB
SETTLING = 0.5
LONGEST_SETTLING_S = 600


def highest_bytes(pid: int) -> int:
    """The most that the process has had since it was asked last."""
    status = Path(f"/proc/{pid}/status").read_text()
    Path(f"/proc/{pid}/clear_refs").write_text("5\n")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def watch(command: list[str], seconds: float) -> list[tuple[float, int]]:
    """Seconds and bytes, until the command ends."""
    seen: list[tuple[float, int]] = []
    every_s = min(5.0, seconds / 40)
    begin = time.monotonic()
    with subprocess.Popen(command) as process:
        while process.poll() is None:
            time.sleep(every_s)
            try:
                now_s = time.monotonic() - begin
                seen.append((now_s, highest_bytes(process.pid)))
            except (OSError, IndexError):
                break
    if process.returncode != 75:
        sys.exit(f"soak: rck ended with {process.returncode}, not at its time limit (75)")
    return [one for one in seen if one[1] and one[0] < seconds]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--cores", type=int, default=8)
    seconds = parser.parse_args().seconds
    cores = parser.parse_args().cores
    program = Path("out/soak/rewrites")
    program.parent.mkdir(parents=True, exist_ok=True)
    rck = [sys.executable, "-m", "rockcreek"]
    subprocess.run([*rck, "cc", str(HERE / "rewrites.c"), "-o", str(program)], check=True)
    limits = ["--timeout", f"{seconds}s"]
    seen = watch([*rck, "run", "-q", "-n", str(cores), *limits, str(program)], seconds)
    settled_s = min(seconds * SETTLING, LONGEST_SETTLING_S)
    early = max(size for at_s, size in seen if at_s <= settled_s)
    late = [size for at_s, size in seen if at_s > settled_s]
    for at_s, size in seen[:: max(1, len(seen) // 12)]:
        print(f"soak: {at_s:7.0f} s {size / MIB:8.1f} MiB")
    print(
        f"soak: at most {early / MIB:.1f} MiB in the first {settled_s:.0f} s, then"
        f" {min(late) / MIB:.1f} to {max(late) / MIB:.1f} MiB"
    )
    if max(late) > early + SLACK_BYTES:
        sys.exit("soak: the memory grows")


if __name__ == "__main__":
    main()
