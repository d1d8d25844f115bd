"""The published tables, the frozen list, the studies and the page agree with each other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rockcreek import description
from rockcreek.repro.published import load_all
from rockcreek.repro.score import fitted, load_frozen
from rockcreek.repro.study import check_against, load_study, study_ids

ROOT = Path(__file__).resolve().parents[2]
EXPERIMENTS = ROOT / "experiments"
KNOWN = load_all(EXPERIMENTS)
FROZEN = load_frozen(EXPERIMENTS)


def test_every_source_is_in_the_bibliography() -> None:
    keys = (ROOT / "docs" / "sources.bib").read_text()
    for entry in KNOWN.values():
        assert f"{{{entry.source}," in keys, entry.id


def test_the_frozen_list_is_the_tables_numbers() -> None:
    numbers = {name: len(entry.cells()) for name, entry in KNOWN.items() if not entry.is_trend}
    assert set(FROZEN.cells) & set(FROZEN.excluded) == set()
    assert set(FROZEN.cells) | set(FROZEN.excluded) == set(numbers)
    assert {name: numbers[name] for name in FROZEN.cells} == dict(FROZEN.cells)
    assert all(reason.strip() for reason in FROZEN.excluded.values())


def test_what_a_parameter_was_fitted_to_is_known() -> None:
    assert fitted(description.load("scc").values) <= set(KNOWN)


@pytest.mark.parametrize("name", study_ids(EXPERIMENTS))
def test_a_study_asks_what_the_tables_hold(name: str) -> None:
    check_against(load_study(EXPERIMENTS, name), KNOWN)


def test_each_entry_counts_once() -> None:
    counted: dict[str, str] = {}
    for name in study_ids(EXPERIMENTS):
        for compare in load_study(EXPERIMENTS, name).compares:
            if compare.counts and not KNOWN[compare.published].is_trend:
                assert compare.published not in counted, (name, counted[compare.published])
                counted[compare.published] = name
    assert set(counted) <= set(KNOWN)


def test_the_page_names_every_number_and_its_score_is_that_of_its_rows() -> None:
    text = (ROOT / "docs" / "fidelity.md").read_text()
    for name in [*FROZEN.cells, *FROZEN.excluded]:
        assert f"| {name} " in text, f"{name}: make the page again"
    rows = re.findall(
        r"^\| ([A-Za-z0-9-]+)( \(f\))? \| .* \| ([+-][\d.]+) % \| \d+ % \|", text, re.M
    )
    errors = [min(abs(float(error)), 100) for name, _, error in rows if name in FROZEN.cells]
    mean = (sum(errors) + 100 * (FROZEN.total - len(errors))) / FROZEN.total
    told = re.search(r"\| all cells of the frozen list \| (\d+) \| (\d+) \| ([\d.]+) % \|", text)
    assert told is not None
    assert (int(told[1]), int(told[2])) == (FROZEN.total, len(errors))
    assert float(told[3]) == pytest.approx(mean, abs=0.11)
