"""ARCHITECTURE.md and the folders' READMEs: short, and a question finds its file."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST_PATHS = 5
# What somebody reads before anything else.
MOST_BYTES = 12 * 1024
WHERE, RULES = "Where is ...?", "docs/chip/rules.md"
READMES = [
    "crates/README.md",
    "crates/cpu/README.md",
    "crates/cache/README.md",
    "crates/chip/README.md",
    "guest/README.md",
    "systems/README.md",
    "python/README.md",
    "tests/README.md",
]


def rows(document: str, section: str) -> list[list[str]]:
    """Cells of a section's table, without its head."""
    text = (ROOT / document).read_text(encoding="utf-8").split(f"## {section}\n")[1]
    lines = [line for line in text.split("\n## ")[0].splitlines() if line.startswith("| ")]
    return [line.strip("| ").split(" | ") for line in lines[2:]]


def paths(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


ANSWERS = [row for readme in READMES for row in rows(readme, WHERE)]
QUESTIONS = tomllib.loads((Path(__file__).parent / "questions.toml").read_text(encoding="utf-8"))


def test_the_architecture_is_short() -> None:
    assert len((ROOT / "ARCHITECTURE.md").read_bytes()) <= MOST_BYTES


def test_the_architecture_leads_to_the_readmes() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert all(f"]({readme})" in text for readme in [*READMES, RULES])


@pytest.mark.parametrize("entry", QUESTIONS["question"], ids=lambda entry: entry["ask"])
def test_the_where_is_tables_answer(entry: dict[str, str]) -> None:
    """The row that shares most words with the question names the file."""
    asked = set(re.findall(r"[a-z0-9]+", entry["ask"].lower())) - set(QUESTIONS["filler"])

    def shared(row: list[str]) -> float:
        words = set(re.findall(r"[a-z0-9]+", row[0].lower()))
        return len(asked & words) - 0.01 * len(words)

    best = max(ANSWERS, key=shared)
    assert entry["file"] in paths(best[-1]), best


def test_a_cell_names_few_files_and_they_exist() -> None:
    assert len(ANSWERS) > 100
    for row in ANSWERS:
        assert all(len(paths(cell)) <= MOST_PATHS for cell in row), row
        for path in paths(row[-1]):
            assert (ROOT / path).exists(), path


def test_each_rule_of_the_chip_has_one_definition_and_a_test() -> None:
    found = rows(RULES, "The rules of the chip, and their copies")
    assert len(found) > 15
    for rule, definition, copies, test in found:
        assert len(paths(definition)) == 1 and len(paths(test)) == 1, rule
        for path in paths(definition) + paths(copies) + paths(test):
            assert (ROOT / path).exists(), path
