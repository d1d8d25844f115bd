"""The guest's mutants fit its sources, and each library has enough of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from run_guest import load

ROOT = Path(__file__).resolve().parents[2]
LEAST = 3
GUEST = {"scc", "rcce", "ircce", "sync", "gnu", "libm"}
# Systems that are linked into the library of another one, libcrf.a.
WITHIN = {"threads", "openmp"}


def test_each_mutant_changes_one_place() -> None:
    for mutant in load():
        text = (ROOT / mutant.edit.file).read_text(encoding="utf-8")
        assert text.count(mutant.edit.find) == 1, mutant.name
        assert mutant.edit.find != mutant.edit.replace, mutant.name


def test_each_mutant_names_its_tests() -> None:
    for mutant in load():
        assert mutant.tests, mutant.name
        assert not [test for test in mutant.tests if not (ROOT / test).exists()], mutant.name


def test_each_library_has_some() -> None:
    systems = {
        path.parent.name
        for path in (ROOT / "systems").glob("*/guest.toml")
        if f"lib{path.parent.name}.a" in path.read_text(encoding="utf-8")
    }
    counts = Counter(mutant.owner for mutant in load())
    assert not {name for name in systems | GUEST | WITHIN if counts[name] < LEAST}
