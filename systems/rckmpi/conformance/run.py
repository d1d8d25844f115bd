"""`make mpi-conformance`: MPICH's own C tests, made by `rck mpicc` and run by `rck mpirun`.

What has run is kept in build/mpi/conformance, so that after an interruption the same command goes
on; --anew begins again, --only and words choose. Each run ends after a time.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT)]
from lists import Case, cases, made  # noqa: E402
from scripts.side_by_side import side_by_side  # noqa: E402

import report  # noqa: E402
from rockcreek.repro.checkout import commit  # noqa: E402

RCK = str(ROOT / ".venv/bin/rck")
WORK = ROOT / "build/mpi/conformance"
SYSROOT = Path("python/rockcreek/_guest/sysroot/lib")
TESTS = ROOT / "build/mpi/mpich/test/mpi"
QUIET = ["-w", "-g0", "-O1"]


class BuildError(Exception):
    """A program that does not compile: the compiler's last words."""


def rck(*words: str, cwd: Path | None = None) -> None:
    done = subprocess.run([RCK, *words], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BuildError("\n".join(done.stderr.strip().splitlines()[-4:]))


def prepare(suite: dict[str, Any]) -> list[str]:
    """Headers that configure would write, and the objects of all programs; the flags."""
    headers = WORK / "include"
    headers.mkdir(parents=True, exist_ok=True)
    lines = [f"#define {name} 1" for name in suite["defines"]]
    lines += [f"#define {name} {value}" for name, value in suite["values"].items()]
    (headers / "mpitestconf.h").write_text("\n".join(["#pragma once", *lines, ""]))
    (TESTS / "dtpools/dtpoolsconf.h").write_text(
        "#pragma once\n#define HAVE_STRDUP 1\n#define HAVE_MEMSET 1\n#define HAVE_STDLIB_H 1\n"
        "#define HAVE_STRING_H 1\n#define HAVE_LIMITS_H 1\n#define HAVE_STDINT_H 1\n"
    )
    flags = [f"-I{headers}", *(f"-I{TESTS / name}" for name in suite["include"]), *QUIET]
    for name in suite["support"]:
        target = WORK / "objects" / (Path(name).stem + ".o")
        target.parent.mkdir(exist_ok=True)
        if not target.is_file():
            rck("mpicc", *flags, f"-DDTP_MPI_DATATYPE={suite['types']}", "-c", str(TESTS / name),
                "-o", str(target))  # fmt: skip
    return flags


def build(case: Case, flags: list[str], newest: float) -> Path:
    """The program of a case, made unless it is newer than MPI's library."""
    program = WORK / "programs" / case.folder / case.program
    if program.is_file() and program.stat().st_mtime > newest:
        return program
    program.parent.mkdir(parents=True, exist_ok=True)
    how = made(TESTS, case.folder, case.program)
    sources = [str(TESTS / case.folder / name) for name in how.sources if name.endswith(".c")]
    objects = sorted(map(str, (WORK / "objects").glob("*.o")))
    rck("mpicc", *flags, *how.flags, *sources, *objects, "-lm", "-o", str(program))
    return program


def judge(case: Case, code: int, text: str) -> str:
    """What is wrong with a run; empty if nothing is."""
    fine = re.search(r"^\s*No [Ee]rrors\s*$", text, re.MULTILINE) is not None
    if case.must_be_ended and code == 75:
        return ""
    if case.verdict in ("Status", "ErrFatal"):
        return "" if code not in (0, 75, 76) else f"ended with code {code}, should fail"
    if case.verdict == "StatusNoErrors":
        return "" if fine and code != 0 else f"ended with code {code}, or without 'No Errors'"
    if fine and code == 0:
        return ""
    last = [line.strip() for line in text.splitlines() if line.strip()][-1:]
    return f"exit code {code}: {last[0][:150] if last else 'no output'}"


def why_not(case: Case, suite: dict[str, Any]) -> str:
    """Why a case is not run; empty if it is."""
    if case.left_out:
        return case.left_out
    for key in (case.name, f"{case.folder}/{case.program}"):
        if key in suite["too_long"]:
            return f"too long: {suite['too_long'][key]}"
    if case.ranks > suite["most_ranks"]:
        return f"more than {suite['most_ranks']} ranks"
    if case.memory_gb > suite["most_memory"]:
        return f"wants {case.memory_gb} GB"
    if any("_CH4_" in name for name in case.env) and not any("_CH3_" in name for name in case.env):
        return "variables of the device ch4; the same test without them is run"
    return ""


def run(case: Case, suite: dict[str, Any], flags: list[str], newest: float) -> dict[str, Any]:
    """One case: its outcome as it is kept."""
    began = time.monotonic()
    outcome: dict[str, Any] = {
        "name": case.name,
        "ranks": case.ranks,
        "xfail": case.expected_to_fail,
    }
    skipped = why_not(case, suite)
    if skipped:
        return {**outcome, "outcome": "not run", "why": skipped, "seconds": 0}
    try:
        program = build(case, flags, newest)
    except BuildError as error:
        return {**outcome, "outcome": "failed", "why": f"does not compile: {error}", "seconds": 0}
    short = f"{case.folder}/{case.program}"
    limit = max(suite["limits"].get(short, suite["seconds"]), case.seconds)
    if case.must_be_ended:
        limit = case.seconds
    elif case.expected_to_fail:
        limit = suite["seconds_to_fail"]
    env = [word for item in case.env.items() for word in ("--env", "=".join(item))]
    # Some tests write to /tmp, and do not look whether it is there; others need a folder above.
    (WORK / "tmp").mkdir(exist_ok=True)
    command = [RCK, "mpirun", "-n", str(case.ranks), *report.universe(case.folder, suite),
               "--wdir", f"/programs/{case.folder}", "-q", "--tag", "none",
               "--timeout", f"{limit:g}s", "--share", str(WORK), *env,
               str(program), *case.arguments]  # fmt: skip
    try:
        done = subprocess.run(command, cwd=program.parent, capture_output=True, timeout=limit + 60,
                              stdin=subprocess.DEVNULL, check=False)  # fmt: skip
        text, errors, code = done.stdout, done.stderr, done.returncode
    except subprocess.TimeoutExpired as late:
        text, errors, code = late.stdout or b"", late.stderr or b"", 75
    log = WORK / "logs" / (re.sub(r"[^\w.=-]+", "_", case.name)[:150] + ".log")
    log.parent.mkdir(exist_ok=True)
    log.write_bytes(text + b"\n--- stderr\n" + errors)
    wrong = judge(case, code, text.decode(errors="replace"))
    if wrong and code == 75:
        wrong = f"had not ended after {limit:g} s of host time"
    seconds = round(time.monotonic() - began, 1)
    return {**outcome, "outcome": "failed" if wrong else "passed", "why": wrong, "seconds": seconds}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*", help="only cases whose names contain one of these")
    parser.add_argument("--anew", action="store_true", help="forget what has run")
    parser.add_argument("--failed", action="store_true", help="run again what failed")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=600, help="stop after these; go on later")
    parser.add_argument("--seconds", type=int, help="of host time for a run, where none are listed")
    parser.add_argument("--report", action="store_true", help="write the page and run nothing")
    options = parser.parse_args()
    suite = tomllib.loads((HERE / "suite.toml").read_text())
    suite["seconds"] = options.seconds or suite["seconds"]
    kept = WORK / "results.jsonl"
    WORK.mkdir(parents=True, exist_ok=True)
    if options.anew:
        kept.unlink(missing_ok=True)
    known = {}
    if kept.is_file():
        known = {one["name"]: one for one in map(json.loads, kept.read_text().splitlines())}
    everything = [case for folder in suite["folders"] for case in cases(TESTS, folder)]
    if not options.report:
        flags = prepare(suite)
        libraries = ("build/mpi/install/lib/libmpi.a", SYSROOT / "librckmpi.a")
        newest = max((ROOT / path).stat().st_mtime for path in libraries)
        todo = [
            case
            for case in everything
            if (
                case.name not in known
                or (options.failed and known[case.name]["outcome"] == "failed")
            )
            and (not options.words or any(word in case.name for word in options.words))
        ]
        # Those with few ranks take seconds: they are reported first.
        todo.sort(key=lambda case: case.ranks)
        until = time.monotonic() + 60 * options.minutes
        _run_all(
            todo, known, kept, options.jobs, until, lambda case: run(case, suite, flags, newest)
        )
    report.write(everything, known, suite, commit(ROOT))
    return 0


def _run_all(todo: list[Case], known: dict[str, Any], kept: Path, jobs: int, until: float,
             work: Any) -> None:  # fmt: skip
    """Runs cases side by side; each outcome is kept at once."""

    def one(case: Case) -> dict[str, Any] | None:
        return work(case) if time.monotonic() < until else None

    with kept.open("a") as file:
        for number, outcome in enumerate(side_by_side(one, todo, jobs), 1):
            if outcome is None:
                continue
            known[outcome["name"]] = outcome
            file.write(json.dumps(outcome) + "\n")
            file.flush()
            print(f"{number}/{len(todo)} {outcome['outcome']:8} {outcome['seconds']:6} s "
                  f"{outcome['name']} {outcome['why'][:90]}", flush=True)  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
