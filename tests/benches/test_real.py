"""`make bench-real`: its plan, its section of the page, and what it makes of counts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from benches.real import ledger, measure, plan

from benches import others, two_threads
from rockcreek.results import host_ledger

ROOT = Path(__file__).resolve().parents[2]

SOURCE = """
#include <stdio.h>
int main(void)
{
    puts("here");
    return 0;
}
"""


def run(cpu_s: float) -> dict[str, Any]:
    execution = {"instructions": 8_000_000, "state_hash": "a"}
    return {"user_s": cpu_s, "system_s": 0.0, "digest": "", "execution": execution}


def document() -> dict[str, Any]:
    machine = {
        "date": "2026-01-02", "commit": "abc", "engine": "release", "processor": "P",
        "processors": 2, "system": "S", "load": [0.5],
    }  # fmt: skip
    record = {"about": "x", "binds": "Memory.", "cores": 1}
    fast = {"rck": [run(2), run(4)], "cachegrind": [run(2), run(4)], "other": [run(8), run(16)]}
    many = {"rck": [run(1)], "other": [run(1)]}
    programs = {"fast": {**record, "runs": fast}, "many": {**record, "cores": 16, "runs": many}}
    return {"machine": machine, "tools": {"cachegrind": {}}, "missing": {}, "programs": programs}


def test_every_program_of_the_plan_has_what_it_names() -> None:
    packages, programs = plan.read()
    assert {program.name for program in programs} > {"sqlite", "lua", "zlib", "npb-lu-16"}
    assert all(package["sha256"] for package in packages.values())
    for program in programs:
        assert program.about
        assert program.cores == 1 or not program.by("qemu")
        made = program.result not in ("output", "none")
        assert not made or program.result.startswith(program.arguments[-1])
    with pytest.raises(ValueError, match="--only none: there are sqlite"):
        plan.choose(programs, ["none"])


def test_a_package_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "programs.toml"
    path.write_text(
        '[package.a]\n[program.p]\nabout = "x"\npackage = "b"\nsources = []\nresult = "none"\n'
    )
    with pytest.raises(ValueError, match="p: there is no package b"):
        plan.read(path)


def test_a_list_of_cores_is_a_program_of_each(tmp_path: Path) -> None:
    path = tmp_path / "programs.toml"
    path.write_text(
        '[package]\n[program.p]\nabout = "x"\nsources = []\nresult = "none"\ncores = [4, 16]\n'
        'arguments = ["{n}"]\nneeds = { "no/such/file" = "make it" }\n'
    )
    _, (four, sixteen) = plan.read(path)
    assert (four.name, sixteen.name, four.folder, sixteen.folder) == ("p-4", "p-16", "p", "p")
    assert four.missing == "`make it` has not been run"
    built = plan.Built(Path("a/binary"), Path("a/files"))
    words = measure.rck_words(sixteen, built, Path("r.json"), "--profile-host")
    assert " ".join(words) == (
        "run -q -n 16 --tag none --profile-host --json r.json --share a/files a/binary 16"
    )


def test_the_page_names_what_was_not_measured() -> None:
    told = document() | {"missing": {"ruby": "`make ruby` has not been run"}}
    assert "- ruby: not measured: `make ruby` has not been run." in "\n".join(others.lines(told))


def test_the_page_has_the_median_of_the_turns() -> None:
    text = "\n".join(others.lines(document()))
    assert "| fast | 1 | 8 | 2.00 | 4 | 1.00 | 4.00 |" in text
    assert "| many | 16 | 8 | 1.00 | 8 |  | 1.00 |" in text
    assert "| geometric mean | | | | | 1.00 | 2.00 |" in text
    assert "- fast, many: x. Memory." in text


def test_costs_that_explain_the_times_are_found() -> None:
    counts = [
        {name: (3 * i + 5 * j) % 7 * 10**6 for i, name in enumerate(host_ledger.ENTRIES)}
        for j in range(14)
    ]
    known = {name: float(i % 4) for i, name in enumerate(host_ledger.ENTRIES)}
    seconds = [sum(each[name] * known[name] for name in known) / 1e9 for each in counts]
    samples = [(each, s) for each, s in zip(counts, seconds, strict=True) if s > 0]
    found = ledger.fit(samples, known["start"])
    assert found["start"] == known["start"]
    assert all(cost >= 0 for cost in found.values())
    for each, spent_s in samples:
        told_s = sum(each[name] * found[name] for name in found) / 1e9
        assert told_s == pytest.approx(spent_s, rel=0.05)


def test_a_program_is_built_once_and_its_result_compared(tmp_path: Path) -> None:
    source = tmp_path / "here.c"
    source.write_text(SOURCE)
    program = plan.RealProgram(
        "here", "x", sources=[], flags=[str(source)], result="output", folder="here"
    )
    built = plan.provide(program, {}, tmp_path)
    made = built.binary.stat().st_mtime_ns
    assert plan.provide(program, {}, tmp_path).binary.stat().st_mtime_ns == made
    rck = str(Path(sys.executable).parent / "rck")
    first = measure.run_rck(program, built, rck)
    left = built.folder / "left.txt"
    left.write_text("of an earlier run")
    second = measure.run_rck(program, built, rck)
    assert not left.exists()
    assert first["digest"] == second["digest"] != ""
    assert first["execution"] == second["execution"]


def test_help_and_list() -> None:
    command = [sys.executable, "-m", "benches.real", "--list"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "sqlite" in done.stdout
    command[-1:] = ["--only", "none"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, "there are sqlite" in done.stderr) == (64, True)


def test_the_costs_have_every_entry() -> None:
    told = json.loads(host_ledger.COSTS.read_text())
    assert list(told["costs_ns"]) == list(host_ledger.ENTRIES)


def test_the_section_of_threads_tells_the_median_of_the_turns() -> None:
    def timed(wall_s: float) -> dict[str, Any]:
        return {"wall_s": wall_s, "execution": {"transactions": 4_000_000}}

    runs = {"1": [timed(2), timed(3), timed(3)], "2": [timed(4), timed(2), timed(1)]}
    where = {"date": "2026-01-02", "commit": "abc", "processor": "P", "processors": 2}
    told = two_threads.lines({"machine": where, "programs": {"x-16": {"cores": 16, "runs": runs}}})
    assert "| x-16 | 4.0 | 0.50 | 2.00 | 1.00 | 1.50 |" in told


def test_some_programs_of_many_cores_are_run_on_two_threads() -> None:
    _, programs = plan.read()
    paired = {program.name for program in programs if program.two_threads}
    assert paired >= {"npb-lu-32", "npb-bt-16", "npb-cg-16"}
    assert all(program.cores > 1 for program in programs if program.two_threads)
