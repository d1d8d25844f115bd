"""What a trace of the whole chip costs (`make traces`): 48 cores for 10 simulated milliseconds of
programs that send much, call much or compute much; without and with a trace in turns.

Fails if a trace changes a result, has other arrows than messages, is as large as 50 MB, or takes
twice the processor time (of a program that does little but call, three times).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

import perfetto_reader
from guest_programs import RCK, ROOT, compile_program

PROGRAMS = (
    ("messages", "examples/laplace/laplace.c", ["-O2", "-lircce", "-lrcce", "-lm"], 2),
    ("calls", "tests/trace/many_calls.c", ["-O1"], 3),
    ("keys", "examples/npb_is/npb_is.c", ["-O2", "-lrcce"], 2),
)
TURNS = 3
MOST_BYTES = 50_000_000


def run(program: Path, folder: Path, *options: str) -> tuple[float, dict[str, object]]:
    """Seconds of processor time, and the result without what the host adds."""
    path = folder / "r.json"
    before = os.times()
    subprocess.run(
        [*RCK, "run", "-q", "--force", "-n", "48", "--until", "10ms", "--json", str(path),
         *options, str(program)],
        check=True, capture_output=True,
    )  # fmt: skip
    after = os.times()
    result = json.loads(path.read_text())
    del result["host"]
    return after.children_user - before.children_user, result


def main() -> int:
    wrong = []
    for name, source, flags, most in PROGRAMS:
        program = compile_program(ROOT / source, flags)
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            trace_path = folder / "t.pftrace"
            pairs = []
            for _ in range(TURNS):
                plain_s, plain = run(program, folder)
                traced_s, traced = run(program, folder, "--trace", str(trace_path))
                pairs.append(traced_s / plain_s)
            trace = perfetto_reader.read(trace_path)
        flows = sum(len(event.flows) for event in trace.events())
        messages = plain["totals"]["messages"]  # type: ignore[index]
        times = median(pairs)
        print(
            f"{name}: {len(trace.tracks)} tracks, {len(trace.events()):,} events,"
            f" {trace.size / 1e6:.1f} MB, {flows:,} arrows of {messages:,} messages,"
            f" {times:.2f} times the processor time",
            flush=True,
        )
        checks = {
            "the result is another": plain != traced,
            "arrows are missing": flows != messages,
            "it is too large": trace.size >= MOST_BYTES,
            "it takes too long": times >= most,
        }
        wrong += [f"{name}: {what}" for what, is_so in checks.items() if is_so]
    for text in wrong:
        print(text, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
