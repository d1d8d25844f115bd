"""`make faults`: the two campaigns, and the page docs/faults.md with what came of them."""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from guest_programs import compile_program  # noqa: E402

RUNS = 500
VARIANTS = (("ping-pong", ()), ("ping-pong whose messages carry a sum", ("-DCHECKED",)))
PLAN = ROOT / "tests" / "faults" / "plan.toml"
PAGE = ROOT / "docs" / "faults.md"
HEAD = """# What becomes of faults

Made by `make faults`; [how](guide/faults.md). {runs} runs of each program on cores {cores}
(two corners of the chip), each with one fault of `tests/faults/plan.toml`, whose place and time
its seed draws. Each campaign ran twice, and both tables were the same.

Last run: commit {commit}, {date}, {seconds} s.
"""


def command(program: Path, runs: int, jobs: int, cores: str, path: Path) -> list[str]:
    """One campaign."""
    return [
        sys.executable, "-m", "rockcreek", "faults", "--fault", str(PLAN), "--runs", str(runs),
        "--jobs", str(jobs), "--cores", cores, "--json", str(path), "--force", "-q", str(program),
    ]  # fmt: skip


def campaign(program: Path, runs: int, jobs: int, cores: str, path: Path) -> dict:
    """The result of a run."""
    subprocess.run(command(program, runs, jobs, cores, path), check=True, stdout=subprocess.DEVNULL)
    return json.loads(path.read_text())


def markdown(rows: list[dict[str, str]]) -> str:
    """The table of a page."""
    names = list(rows[0])
    lines = ["| " + " | ".join(names) + " |", "| --- |" + " ---: |" * (len(names) - 1)]
    lines += ["| " + " | ".join(row.values()) + " |" for row in rows]
    return "\n".join(lines)


def main() -> int:
    """Run both campaigns twice; write the page, or fail if a repetition differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cores", default="0,47")
    parser.add_argument("--out", type=Path, default=PAGE)
    options = parser.parse_args()
    folder = ROOT / "out" / "faults"
    folder.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    parts = []
    for title, flags in VARIANTS:
        program = compile_program(ROOT / "tests/faults/pingpong.c", ["-O2", "-lrcce", *flags])
        path = folder / "campaign.json"
        first = campaign(program, options.runs, options.jobs, options.cores, path)
        second = campaign(program, options.runs, options.jobs, options.cores, path)
        if first != second:
            print(f"faults: {title}: two campaigns differ", file=sys.stderr)
            return 1
        table = markdown(first["table"])
        print(f"{title}\n{table}", flush=True)
        parts.append(f"\n## {title[0].upper()}{title[1:]}\n\n{table}\n")
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    head = HEAD.format(
        runs=options.runs,
        cores=options.cores.replace(",", " and "),
        commit=commit,
        date=datetime.date.today().isoformat(),
        seconds=round(time.monotonic() - begin),
    )
    options.out.write_text(head + "".join(parts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
