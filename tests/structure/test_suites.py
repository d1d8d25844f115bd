"""A crate's tests are modules of one program: a file that it does not name would never run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CRATES = ROOT / "crates"
LEFT_OUT = r"\[lib\]\n([^\[].*\n)*test = false"
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


def test_nothing_that_cargo_is_not_told_to_run_has_tests() -> None:
    """scripts/test.sh runs libraries and tests/: no programs, no examples in doc comments."""
    for crate in (*CRATES.iterdir(), ROOT / "fuzz"):
        manifest = crate / "Cargo.toml"
        left_out = manifest.exists() and re.search(LEFT_OUT, manifest.read_text())
        for path in crate.glob("src/**/*.rs"):
            text = path.read_text()
            is_program = path.name == "main.rs" or path.parent.name == "bin"
            assert "#[test]" not in text or not (left_out or is_program), path
            assert not re.search(r"^\s*//[/!] *```", text, re.M), path
