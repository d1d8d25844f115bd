"""`--check memory` finds each seeded mistake at its line, and none in the mended programs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ready
import rockcreek
from guest_programs import compile_program
from rockcreek.checking.kinds.sites import own_frame
from rockcreek.errors import InputError
from rockcreek.results.result import Result

HERE = Path(__file__).parent / "memory"
_SEED = re.compile(r"/\* (?:(\d+) )?((?:beyond|use|double|bad)-[a-z-]+|leak|unwritten) \*/")
NEAR = 64  # bytes
# Source, flags, and the check that finds its seeds.
SEEDED = [
    ("faults.c", ("-O1", "-lrcce"), "memory"),
    ("objects.cpp", ("-O1", "-lrcce"), "memory"),
    ("buffers.c", ("-O1", "-lrcce"), "memory"),
    ("buffers.c", ("-O1", "-lrcce"), "unwritten"),
    ("shared_heap.c", ("-O1", "-pthread"), "memory"),
    ("unwritten.c", ("-O1", "-lrcce"), "unwritten"),
]


def seeds(source: Path) -> set[tuple[int | None, str, int]]:
    """The core, kind and line of each mistake in a program."""
    lines = source.read_text().splitlines()
    found = ((_SEED.search(line), number) for number, line in enumerate(lines, 1))
    return {
        (None if match[1] is None else int(match[1]), match[2], number)
        for match, number in found
        if match is not None
    }


def run(source: Path, *flags: str, n: int, check: tuple[str, ...] = ("memory",)) -> Result:
    built = compile_program(source, list(flags))
    # A wrong free does not end the program.
    env = {"MALLOC_CHECK_": "0"}
    return rockcreek.run(built, n=n, check=check, until_ps=10**12, env=env)


def findings(result: Result) -> list[dict[str, Any]]:
    assert result.findings is not None
    found: list[dict[str, Any]] = result.findings["findings"]
    return found


def cores_of(source: Path) -> int:
    return 1 + max((core for core, _, _ in seeds(source) if core is not None), default=1)


@pytest.mark.parametrize(("name", "flags", "check"), SEEDED)
def test_each_mistake_is_found_at_its_line(name: str, flags: tuple[str, ...], check: str) -> None:
    source = HERE / name
    has_cores = all(core is not None for core, _, _ in seeds(source))
    found = findings(run(source, *flags, n=cores_of(source), check=(check,)))
    told = {
        (
            finding["victim"]["core"] if has_cores else None,
            finding["kind"],
            own_frame(finding["victim"])["line"],
        )
        for finding in found
    }
    assert told == seeds(source)
    for finding in found:
        # Far behind a block another one may be nearer; calls deep in C++'s headers have no line.
        block, freed = finding["block"], finding["culprit"]
        if block is not None and block["offset"] < block["size"] + NEAR:
            assert own_frame(block["allocated"])["file"].endswith(name), finding["title"]
        assert freed is None or (own_frame(freed)["file"] or name).endswith(name)


@pytest.mark.parametrize(("name", "flags", "check"), SEEDED)
def test_the_mended_program_is_silent(name: str, flags: tuple[str, ...], check: str) -> None:
    source = HERE / name
    result = run(source, *flags, "-DMENDED", n=cores_of(source), check=(check,))
    assert findings(result) == []
    assert result.exit_code == 0


def test_registers_that_a_handler_leaves_are_not_the_programs() -> None:
    result = run(HERE / "signal.c", "-O1", n=1, check=("unwritten",))
    assert findings(result) == []
    assert result.exit_code == 0


@pytest.mark.parametrize("check", ["memory", "unwritten"])
def test_nothing_changes(check: str) -> None:
    built = compile_program(HERE / "buffers.c", ["-O1", "-lrcce"])
    without, checked = rockcreek.run(built, n=4), rockcreek.run(built, n=4, check=(check,))
    both = [result.to_dict() for result in (without, checked)]
    assert both[1].pop("check")["findings"]
    for document in both:
        del document["host"]
    assert both[0] == both[1]


def test_both_checks_in_one_run() -> None:
    built = compile_program(HERE / "buffers.c", ["-O1", "-lrcce"])
    found = findings(rockcreek.run(built, n=4, check=("coherence", "memory")))
    assert {one["kind"] for one in found} == {"beyond-block", "use-after-free"}


def test_a_finding_is_explained_and_suppressed(tmp_path: Path) -> None:
    built = compile_program(HERE / "buffers.c", ["-O1", "-lrcce"])
    known, file, sarif = (tmp_path / name for name in ("known.toml", "r.json", "r.sarif"))
    known.write_text('[[suppress]]\nkind = "beyond-block"\nwhy = "a test"\n')
    line = [sys.executable, "-m", "rockcreek"]
    options = ["--check", "memory,error", "--check-suppress", str(known), "--json", str(file)]
    options += ["--check-sarif", str(sarif)]
    done = subprocess.run(
        [*line, "run", "-q", "-n", "4", *options, str(built)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 77
    assert "2 findings (2 suppressed)" in done.stderr
    told = subprocess.run(
        [*line, "explain", f"{file}#1"], capture_output=True, text=True, check=True
    ).stdout
    assert "allocates the block" in told and "frees it" in told
    rules = [one["ruleId"] for one in json.loads(sarif.read_text())["runs"][0]["results"]]
    assert rules == ["use-after-free"] * 2


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--check", "races,memory"], "another run"),
        (["--check", "races,unwritten"], "another run"),
        (["--check", "unwritten", "--commit-log", "log"], "each needs the instructions for itself"),
    ],
)
def test_what_excludes_a_check(options: list[str], told: str) -> None:
    done = ready.rck("run", *options, "prog")
    assert done.returncode == 64 and told in done.stderr


def test_values_of_threads_are_refused() -> None:
    built = compile_program(HERE / "shared_heap.c", ["-O1", "-pthread"])
    with pytest.raises(InputError, match="a program of threads"):
        rockcreek.run(built, n=2, check=("unwritten",))


def test_what_used_a_value_is_explained(tmp_path: Path) -> None:
    built = compile_program(HERE / "unwritten.c", ["-O1", "-lrcce"])
    file = tmp_path / "r.json"
    line = [sys.executable, "-m", "rockcreek"]
    subprocess.run(
        [*line, "run", "-q", "-n", "1", "--check", "unwritten", "--json", str(file), str(built)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    told = subprocess.run(
        [*line, "explain", f"{file}#1"], capture_output=True, text=True, check=True
    ).stdout
    assert "took a branch by a value that was never written" in told
    assert "makes the memory" in told and "unwritten.c" in told
