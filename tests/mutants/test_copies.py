"""Each row of the table of rules has a broken copy that its test must notice, or none.

`make copies` (tests/mutants/run_copies.py) sees them noticed; here the table and copies.toml are
held against each other and against the source.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import run_copies

ROOT = Path(__file__).resolve().parents[2]
COPIES = run_copies.load_copies()


def rows() -> dict[str, tuple[str, str]]:
    """Of each row of the table: the cell of its copies and the one of its test."""
    text = (ROOT / "docs/chip/rules.md").read_text()
    section = text.split("## The rules of the chip, and their copies")[1].split("\n## ")[0]
    cells = [line.strip("|").split(" | ") for line in section.splitlines() if line.startswith("|")]
    assert len(cells) > 15
    return {row[0].strip(): (row[2], row[3]) for row in cells[2:]}


def test_every_row_is_broken_or_says_that_it_has_no_copy() -> None:
    broken = {copy.rule for copy in COPIES}
    for rule, (copies, _) in rows().items():
        assert (rule in broken) != copies.startswith("none: "), rule
    assert broken <= set(rows()), "rows of the table"
    assert len({copy.name for copy in COPIES}) == len(COPIES)


@pytest.mark.parametrize("copy", COPIES, ids=lambda copy: copy.name)
def test_it_breaks_one_of_the_row_and_is_the_row_s_test_to_notice(copy) -> None:
    copies, test = rows()[copy.rule]
    assert copy.file in re.findall(r"`([^`]+)`", copies)
    assert [copy.test] == re.findall(r"`([^`]+)`", test)
    assert (ROOT / copy.file).read_text().count(copy.find) == 1
    assert "BROKEN" in copy.replace
