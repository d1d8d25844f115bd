"""`make check-coherence`: our own programs under the checker, and the page docs/checked.md.

Examples, benchmarks, the guest programs of all tests, and the studies in their quick form. None of
them should have a finding, but those that `known.toml` names. A run that takes long is ended: what
it has shown until then counts. Each result is printed as it comes, and kept in a file: the next
call goes on from an interrupted one. `--anew` forgets the results of the programs that it names.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from guest_programs import RCK, compile_program, empty_share, read_header  # noqa: E402
from rockcreek.checking.kinds import RACES  # noqa: E402
from rockcreek.repro.checkout import commit  # noqa: E402

HERE = Path(__file__).parent
FOLDER = ROOT / "build/check-coherence"
PAGE = ROOT / "docs/checked.md"
KNOWN = HERE / "known.toml"
# Reports all; races are counted apart.
CHECK = ("races",)
# Host time of one run.
TIMEOUT_S = 120
# Of a study whose programs run without our kernel.
LEFT_OUT_END = "left out"
# Programs that break rules on purpose, and those that end on purpose in the middle.
LEFT_OUT = ("tests/check/", "tests/chip/", "tests/deadlock/", "tests/faults/", "tests/conformance/")
HEAD = """# The coherence checker on our own programs

Made by `make check-coherence`; [how to read findings](guide/checking.md). The project's programs
under `--check races`: examples, benchmarks of class S on 16 cores, the guest programs of all
tests and systems, and of each study the first and the last run of each program in the quick form.
A run is ended after {limit} s of the host's time; its findings until then count.
The table leaves out programs that break rules on purpose: the
[pitfalls](../examples/pitfalls/README.md), the seeded bugs (`tests/check`), tests of the chip's own
rules, deadlocks, faults; and studies of programs that run without our kernel. Races that a system's
library declares as intended (`systems/*/check.toml`, with reasons) are
neither reported nor counted here.

Last run: {date}{left}.

| what | runs | ended early | findings | races | known | commit |
| --- | ---: | ---: | ---: | ---: | ---: | --- |
"""


@dataclass(frozen=True)
class Program:
    """A program, or the programs of a study."""

    group: str
    name: str
    sources: tuple[Path, ...] = ()
    cc: tuple[str, ...] = ()
    run: tuple[str, ...] = ()
    study: bool = False


def listed() -> Iterator[Program]:
    """The programs of `sweep.toml`."""
    for row in tomllib.loads((HERE / "sweep.toml").read_text())["program"]:
        sources = [path for pattern in row["sources"] for path in sorted(ROOT.glob(pattern))]
        name = row["sources"][0].removesuffix("/*.c").removesuffix(".c")
        group = "NAS benchmarks" if "npb/programs" in name else "examples"
        cc = row.get("cc", ["-lrcce"])
        yield Program(group, name, tuple(sources), tuple(cc), tuple(row["run"]))


def of_tests() -> Iterator[Program]:
    """The guest programs of all tests, as their headers run them."""
    folders = ("tests", "systems/*/tests")
    paths = [path for folder in folders for path in ROOT.glob(f"{folder}/**/*.c*")]
    for path in sorted(paths):
        name = str(path.relative_to(ROOT))
        header = read_header(path.read_text(errors="replace"))
        if header is None or name.startswith(LEFT_OUT) or "--restore" in header.options:
            continue
        group = "systems" if name.startswith("systems/") else "tests' programs"
        yield Program(group, name, (path,))


def of_studies() -> Iterator[Program]:
    """All studies."""
    from rockcreek.repro.study import study_ids

    for study in study_ids(ROOT / "experiments"):
        yield Program("studies", study, study=True)


def points_of(name: str) -> list[tuple[Any, Any, Path, Any]]:
    """Study, point, program and chip of each run that is checked."""
    from rockcreek import description as descriptions
    from rockcreek.repro import runs
    from rockcreek.repro.points import expand
    from rockcreek.repro.study import load_study

    study = load_study(ROOT / "experiments", name)
    folder = FOLDER / "studies" / name
    programs = {key: runs.build(program, folder) for key, program in study.programs.items()}
    chip = descriptions.load(study.chip)
    binaries = {key: path.read_bytes() for key, path in programs.items()}
    points = expand(study, binaries, chip, quick=True)
    kept = []
    for program in programs:
        own = [point for point in points if point.program == program and not point.boot]
        if study.programs[program].ruby:
            continue  # an interpreter with its library: no program of ours
        kept += own[:1] + own[1:][-1:]
    return [(study, point, programs[point.program], chip) for point in kept]


def check_study(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Runs of a study, in this process."""
    from rockcreek.errors import RockcreekError
    from rockcreek.repro.runs import _chip_of
    from rockcreek.running.run_job import Job, execute

    try:
        points = points_of(name)
    except RockcreekError as error:
        yield name, {"end": "not run", "told": error.message[-400:]}
        return
    if not points:
        yield name, {"end": LEFT_OUT_END}
    for number, (study, point, program, chip) in enumerate(points, 1):
        result = execute(
            Job(
                str(program), point.arguments, cores=point.cores, chip=_chip_of(study, point, chip),
                clocks=study.clocks if point.chip is None else None, jitter=point.seed,
                power=point.power, tag="none", timeout_s=TIMEOUT_S, check=CHECK,
                check_suppress=KNOWN,
            )
        )  # fmt: skip
        yield f"{name} {number}", {"end": result.end, "check": result.findings}


def command_of(program: Program) -> tuple[list[str], str]:
    """The words of `rck run`, and the standard input. Builds the program."""
    if not program.run:
        (path,) = program.sources
        header = read_header(path.read_text(errors="replace"))
        assert header is not None
        built = compile_program(path, header.cc)
        share = ["--share", str(empty_share(built))] if header.share else []
        return [*header.options, *share, str(built), *header.arguments], header.stdin
    built = FOLDER / program.name.replace("/", "-")
    line = [*RCK, "cc", *map(str, program.sources), *program.cc, "-o", str(built)]
    subprocess.run(line, check=True)
    return [*program.run, str(built)], ""


def check_program(program: Program) -> dict[str, Any]:
    """One run, in a process of its own."""
    path = FOLDER / (program.name.replace("/", "-") + ".json")
    command, stdin = command_of(program)
    line = [*RCK, "run", "-q", "--check", ",".join(CHECK), "--check-suppress", str(KNOWN)]
    line += ["--json", str(path), "--force", "--timeout", f"{TIMEOUT_S}s", *command]
    ended = subprocess.run(
        line, input=stdin, capture_output=True, text=True, errors="replace", check=False
    )
    if not path.exists():
        return {"end": "not run", "told": ended.stderr[-400:]}
    document = json.loads(path.read_text())
    path.unlink()
    return {"end": document["end"], "check": document.get("check")}


def check(program: Program) -> list[dict[str, Any]]:
    """The notes of a program's runs."""
    if program.study:
        return [note(program, name, found) for name, found in check_study(program.name)]
    return [note(program, program.name, check_program(program))]


def note(program: Program, name: str, found: dict[str, Any]) -> dict[str, Any]:
    """What is kept of a run."""
    told = found.get("check") or {"findings": [], "suppressed": 0}
    titles = [
        f"{one['kind']}: {one['title']}; {one['remedy']} ({one['count']})"
        for one in told["findings"]
    ]
    return {
        "group": program.group, "program": program.name, "name": name, "end": found["end"],
        "races": sum(one["kind"] in RACES for one in told["findings"]),
        "findings": titles, "known": told["suppressed"], "told": found.get("told", ""),
    }  # fmt: skip


def page(notes: list[dict[str, Any]], left: int) -> str:
    """The table, and each finding."""
    text = HEAD.format(
        date=datetime.now(UTC).date().isoformat(),
        limit=TIMEOUT_S,
        left=f"; {left} programs are still to be run" if left else "",
    )
    for group in dict.fromkeys(one["group"] for one in notes):
        own = [one for one in notes if one["group"] == group and one["end"] != LEFT_OUT_END]
        early = sum(one["end"] == "timeout" for one in own)
        races = sum(one["races"] for one in own)
        findings = sum(len(one["findings"]) for one in own) - races
        known = sum(one["known"] for one in own)
        trees = ", ".join(dict.fromkeys(one["commit"] for one in own))
        text += f"| {group} | {len(own)} | {early} | {findings} | {races} | {known} | {trees} |\n"
    rules = tomllib.loads(KNOWN.read_text())["suppress"]
    text += "\nKnown are:\n\n"
    for rule in rules:
        where = ", ".join(f"`{rule[key]}`" for key in ("kind", "function", "file") if key in rule)
        text += f"- {where}: {rule['why']}\n"
    unlike = [one for one in notes if one["findings"] or one["end"] == "not run"]
    if unlike:
        text += "\n## Findings, and what was not run\n\n"
    for one in unlike:
        why = " ".join(one["told"].replace(f"{ROOT}/", "").split())
        told = "; ".join(one["findings"]) or f"not run: `{why}`"
        text += f"- {one['name']}: {told}\n"
    return text


def kept(log: Path) -> dict[str, list[dict[str, Any]]]:
    """The notes of programs that have run before."""
    done: dict[str, list[dict[str, Any]]] = {}
    for line in log.read_text().splitlines() if log.exists() else []:
        one = json.loads(line)
        done.setdefault(one["program"], []).append(one)
    return done


def tell(one: dict[str, Any]) -> None:
    """One run's result."""
    print(f"{one['name']}: {one['end']}, {len(one['findings'])} findings", flush=True)
    for line in one["findings"] or [one["told"]][: bool(one["told"])]:
        print(f"    {line}", flush=True)


def run_all(programs: list[Program], log: Path, jobs: int) -> None:
    """Run them side by side; print and record each one as it ends."""
    tree = commit(ROOT, "crates", "python", "guest", "systems", "examples", "experiments")
    pool = ProcessPoolExecutor(jobs)
    running = {pool.submit(check, program): program for program in programs}
    try:
        for future in as_completed(running):
            program = running[future]
            error = future.exception()
            failed = {"end": "not run", "told": str(error)[-400:]}
            notes = [note(program, program.name, failed)] if error else future.result()
            for one in notes:
                tell(one)
            with log.open("a") as file:
                file.writelines(json.dumps(one | {"commit": tree}) + "\n" for one in notes)
    finally:
        pool.shutdown(cancel_futures=True)


def main() -> int:
    """Run what has not run yet; write the page; fail if something is found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="names that hold this text")
    parser.add_argument("--anew", action="store_true", help="run again what has run")
    parser.add_argument("--jobs", type=int, default=2, help="runs side by side")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    log = FOLDER / "runs.jsonl"
    every = [one for part in (listed, of_tests, of_studies) for one in part()]
    named = [one for one in every if options.only in one.name]
    done = kept(log)
    if options.anew:
        done = {name: notes for name, notes in done.items() if options.only not in name}
        log.write_text("".join(json.dumps(one) + "\n" for own in done.values() for one in own))
    try:
        run_all([one for one in named if one.name not in done], log, options.jobs)
    finally:
        done = kept(log)
        PAGE.write_text(
            page(
                [note for one in every for note in done.get(one.name, [])],
                sum(one.name not in done for one in every),
            )
        )
    return int(any(note["findings"] for one in named for note in done.get(one.name, [])))


if __name__ == "__main__":
    sys.exit(main())
