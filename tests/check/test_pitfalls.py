"""The ten pitfalls are found as their README says, and their mended twins are clean."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rockcreek
from guest_programs import compile_program
from rockcreek.checking.story import story
from rockcreek.reading.sources import Sources

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "examples/pitfalls"


ROWS = re.findall(r"^\| `(\w+\.c)` \|.*\| ([a-z-]+) \|$", (FOLDER / "README.md").read_text(), re.M)


def kinds(program: str, *flags: str) -> set[str]:
    built = compile_program(FOLDER / program, ["-O1", *flags, "-lrcce"])
    result = rockcreek.run(built, n=2, check=["coherence"], until_ps=10**12)
    assert result.end == "exited" and result.findings is not None
    for finding in result.findings["findings"]:
        screen = story(finding, Sources([ROOT])).splitlines()
        assert len(screen) <= 24 and max(map(len, screen)) <= 100, screen
    return {finding["kind"] for finding in result.findings["findings"]}


def test_there_are_ten() -> None:
    assert sorted(name for name, _ in ROWS) == sorted(p.name for p in FOLDER.glob("*.c"))
    assert len(ROWS) == 10


@pytest.mark.parametrize(("program", "kind"), ROWS)
def test_the_mistake_is_found(program: str, kind: str) -> None:
    assert kinds(program) == {kind}


@pytest.mark.parametrize("program", [name for name, _ in ROWS])
def test_the_mended_twin_is_clean(program: str) -> None:
    assert kinds(program, "-DMENDED") == set()
