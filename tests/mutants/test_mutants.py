"""The mutants can still be applied, and each is named by a test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import run_mutants

ROOT = Path(__file__).resolve().parents[2]
MUTANTS = run_mutants.load_mutants()


def names_in_tests() -> set[str]:
    names: set[str] = set()
    for path in (ROOT / "tests").rglob("*"):
        if path.suffix in (".c", ".cpp", ".py"):
            text = path.read_text()
            names.update(re.findall(r"^// mutant: (\S+)$", text, re.M))
            names.update(re.findall(r"pytest\.mark\.mutant\(\"([^\"]+)\"\)", text))
    return names


def test_how_many_rules() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == 20


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_mutant_can_be_applied(mutant) -> None:
    for edit in mutant.edits:
        text = (ROOT / edit.file).read_text()
        assert text.count(edit.find) == 1, f"{edit.file}: {edit.find!r}"
        assert edit.replace != edit.find


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_mutant_is_named_by_a_test(mutant) -> None:
    assert mutant.name in names_in_tests()


def test_no_test_names_an_unknown_mutant() -> None:
    assert names_in_tests() <= {mutant.name for mutant in MUTANTS}
