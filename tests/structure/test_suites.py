"""A crate's tests are modules of one program: a file that it does not name would never run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CRATES = Path(__file__).resolve().parents[2] / "crates"
SUITES = sorted(CRATES.glob("*/tests/suite.rs"))


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.parts[-3])
def test_each_file_of_tests_is_run(suite: Path) -> None:
    folder = suite.parent
    modules = set(re.findall(r"^mod (\w+);", suite.read_text(), re.M))
    files = {path.stem for path in folder.glob("*.rs")} | {
        path.parent.name for path in folder.glob("*/mod.rs")
    }
    manifest = (folder.parent / "Cargo.toml").read_text()
    programs = set(re.findall(r'\[\[test\]\]\nname = "(\w+)"', manifest))
    assert "autotests = false" in manifest and "suite" in programs
    assert files == modules | programs


def test_no_crate_has_many_programs_without_a_suite() -> None:
    for crate in CRATES.iterdir():
        programs = list(crate.glob("tests/*.rs"))
        assert len(programs) <= 1 or (crate / "tests/suite.rs") in programs, crate.name
