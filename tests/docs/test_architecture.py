"""ARCHITECTURE.md against the tree: a question finds its file, a rule its definition."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST_PATHS = 5


def rows(document: str, section: str) -> list[list[str]]:
    """Cells of a section's table, without its head."""
    text = (ROOT / document).read_text(encoding="utf-8").split(f"## {section}\n")[1]
    lines = [line for line in text.split("\n## ")[0].splitlines() if line.startswith("| ")]
    return [line.strip("| ").split(" | ") for line in lines[2:]]


def paths(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


QUESTIONS = tomllib.loads((Path(__file__).parent / "questions.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("entry", QUESTIONS["question"], ids=lambda entry: entry["ask"])
def test_the_where_is_table_answers(entry: dict[str, str]) -> None:
    """The row that shares most words with the question names the file."""
    asked = set(re.findall(r"[a-z0-9]+", entry["ask"].lower())) - set(QUESTIONS["filler"])

    def shared(row: list[str]) -> float:
        words = set(re.findall(r"[a-z0-9]+", row[0].lower()))
        return len(asked & words) - 0.01 * len(words)

    best = max(rows("ARCHITECTURE.md", "Where is ...?"), key=shared)
    assert entry["file"] in paths(best[-1]), best


@pytest.mark.parametrize("section", ["The map", "Where is ...?"])
def test_a_cell_names_few_files(section: str) -> None:
    for row in rows("ARCHITECTURE.md", section):
        assert all(len(paths(cell)) <= MOST_PATHS for cell in row), row


def test_each_rule_of_the_chip_has_one_definition_and_a_test() -> None:
    found = rows("ARCHITECTURE.md", "The rules of the chip, and their copies")
    assert len(found) > 15
    for rule, definition, copies, test in found:
        assert len(paths(definition)) == 1 and len(paths(test)) == 1, rule
        for path in paths(definition) + paths(copies) + paths(test):
            assert (ROOT / path).exists(), path
