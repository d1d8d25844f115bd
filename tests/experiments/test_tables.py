"""The published tables, the list, the studies, their records and the pages agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rockcreek import description
from rockcreek.repro.pages.overview import missed
from rockcreek.repro.pages.write_pages import write_pages
from rockcreek.repro.published import load_all
from rockcreek.repro.score import fitted
from rockcreek.repro.scored import load_scored
from rockcreek.repro.standing import standing
from rockcreek.repro.study import check_against, load_study, study_ids

ROOT = Path(__file__).resolve().parents[2]
EXPERIMENTS = ROOT / "experiments"
KNOWN = load_all(EXPERIMENTS)
LISTED = load_scored(EXPERIMENTS)
ENDS = ("nearest", "farthest")
# An entry's name, its marks and the error of a cell, in a study's page.
ROW = re.compile(
    r"^\| ([A-Za-z0-9-]+)(?: \(([a-z, ]+)\))? \| .* \| ([+-][\d.]+) % \| \d+ % \|", re.M
)


def test_every_source_is_in_the_bibliography() -> None:
    keys = (ROOT / "docs" / "sources.bib").read_text()
    for entry in KNOWN.values():
        assert f"{{{entry.source}," in keys, entry.id


def test_the_list_is_the_tables_numbers() -> None:
    """Each cell counts, or is left out with a reason; nothing is named that no table holds."""
    numbers = {name: entry for name, entry in KNOWN.items() if not entry.is_trend}
    counted = {name: len(LISTED.counted(entry)) for name, entry in numbers.items()}
    assert {name: count for name, count in counted.items() if count} == dict(LISTED.cells)
    assert {item.entry for item in LISTED.left_out} <= set(numbers)
    for item in LISTED.left_out:
        assert any(item.names(label) for label in numbers[item.entry].cells()), item
    assert set(LISTED.marks) <= set(LISTED.cells)


def test_everything_that_left_the_list_before_has_its_reason() -> None:
    for name, count in LISTED.before.items():
        entry = KNOWN[name]
        assert len(entry.cells()) == count
        gone = [label for label in entry.cells() if label not in LISTED.counted(entry)]
        reasons = [LISTED.why_not(name, label) for label in gone]
        assert all(reason is not None and len(reason.why) > 20 for reason in reasons), name


def value(name: str, label: str = "") -> float:
    return KNOWN[name].cells()[label]


def test_what_left_as_arithmetic_is_arithmetic() -> None:
    """Within what rounding to the printed digits allows."""
    for table in ("bu-table1", "bu-table1-npb"):
        for row in KNOWN[table].value:
            ipc = value(table, f"{row}, instructions per cycle")
            assert value(table, f"{row}, time") == pytest.approx(1e8 / (ipc * 533e6), rel=5e-3)
    for way, curve in (("polling", "sct-thr-poll"), ("interrupt", "sct-thr-irq")):
        drop = value(curve, "nearest") - value(curve, "farthest")
        assert value("sct-thr-drop", way) == pytest.approx(drop, abs=0.11)
    gaps = [value("sct-rtt-irq", end) - value("sct-rtt-poll", end) for end in ENDS]
    assert min(gaps) < value("sct-rtt-gap") < max(gaps)
    for tree in ("AVL", "RB"):
        for size in ("50", "450"):
            row, column = f"{tree},{size}", f"{tree}, cache {size}"
            bad, good = value("jcell-bad", column), value("jcell-good", column)
            hits = value("jcell-accesses", tree) * bad / 100
            assert value("jcell-outdated", column) == pytest.approx(100 * bad / (bad + good), 5e-3)
            assert value("jcell-table2", f"{row}, R") == pytest.approx(hits, rel=5e-3)
            cost = value("jcell-table2", f"{row}, R") * value("jcell-table2", f"{row}, l")
            depth = (cost / value("jcell-table2", f"{row}, W")) ** 0.5
            assert value("jcell-table2", f"{row}, k") == pytest.approx(depth, rel=1e-2)
    rate = value("lpel-mpi-bw") * 2**20
    assert 64e3 / rate < value("lpel-mpi-64k") * 1e-3 < 65536 / rate
    for kind in ("local", "completion"):
        row = {name: value("mesh-table3", f"{name}, {kind}") for name in KNOWN["mesh-table3"].value}
        assert row["read + update"] == row["invoke"] + row["apply"]
        assert row["write acquire"] == row["step"] + row["map"]
        assert row["write + update"] == row["write acquire"] + row["read + update"]


def test_a_limit_is_one_in_the_publication() -> None:
    """Each bound beside the words that make it a limit: a new one needs its words here."""
    words = {
        "dvfs-error": "within an error of 38% in the worst case",
        "det-clock": "with a 20 micro-second precision",
        "det-maxlat": "stays below 500 micro-seconds",
        "ext-ocbcast-lat": "at least 27%",
        "lpel-ndlb-dlb": "by a factor of at least 1.5",
        "lpel-mpi-64k": "more than 22 ms",
    }
    assert {name for name, entry in KNOWN.items() if entry.bound} == set(words)


def test_small_differences_are_compared_as_one_and_x() -> None:
    differences = {name: entry for name, entry in KNOWN.items() if entry.difference}
    assert set(differences) == {"bu-log-target", "ruby-drb-2pct"}
    for entry in differences.values():
        assert all(abs(number) < 10 for number in entry.cells().values())
    assert KNOWN["bu-log-target"].error(0.21, -0.319) == pytest.approx(-0.00528, abs=1e-5)


def test_what_a_parameter_was_fitted_to_is_known() -> None:
    assert fitted(description.load("scc").values) <= set(KNOWN)


@pytest.mark.parametrize("name", study_ids(EXPERIMENTS))
def test_a_study_asks_what_the_tables_hold(name: str) -> None:
    check_against(load_study(EXPERIMENTS, name), KNOWN)


def test_each_cell_counts_once() -> None:
    """Studies may share an entry by its columns."""
    counted: dict[tuple[str, str], str] = {}
    for name in study_ids(EXPERIMENTS):
        for compare in load_study(EXPERIMENTS, name).compares:
            entry = KNOWN[compare.published]
            if compare.counts and not entry.is_trend:
                for column in compare.columns or entry.columns or ("",):
                    cell = (compare.published, column)
                    assert cell not in counted, (name, counted[cell])
                    counted[cell] = name
    assert {name for name, _ in counted} <= set(KNOWN)


def test_the_pages_are_those_of_the_records(tmp_path: Path) -> None:
    """What `rck repro --report` would write without any new result is what is there."""
    here = standing(EXPERIMENTS)
    images = tmp_path / "images/fidelity"
    images.mkdir(parents=True)
    for picture in (ROOT / "docs/images/fidelity").glob("*.png"):
        (images / picture.name).touch()
    write_pages(here, tmp_path / "none", tmp_path / "fidelity.md", draw=False)
    written = {path.relative_to(tmp_path) for path in tmp_path.rglob("*.md")}
    there = {path.relative_to(ROOT / "docs") for path in (ROOT / "docs/fidelity").glob("*.md")}
    assert written == {*there, Path("fidelity.md")}
    for path in sorted(written):
        made, kept = (tmp_path / path).read_text(), (ROOT / "docs" / path).read_text()
        assert made == kept, f"docs/{path}: `rck repro --report` makes it again"


def test_every_study_has_a_record_and_every_miss_its_reason() -> None:
    here = standing(EXPERIMENTS)
    assert set(here.records) == set(study_ids(EXPERIMENTS))
    unexplained = set(missed(here)) - set(here.why)
    assert not unexplained, "experiments/missed.toml: say why, as far as it is known"
    names = {*KNOWN, *(f"{study}: {item['statement']}" for study, item in here.statements)}
    assert set(here.why) <= names


def test_the_score_is_that_of_the_pages_rows() -> None:
    errors: dict[str, list[float]] = {}
    for path in (ROOT / "docs/fidelity").glob("*.md"):
        for name, marks, error in ROW.findall(path.read_text()):
            if "a" not in marks:
                errors.setdefault(name, []).append(min(abs(float(error)), 100))
    measured = [error for found in errors.values() for error in found]
    total = sum(LISTED.cells.values())
    text = (ROOT / "docs/fidelity.md").read_text()
    told = re.search(r"\| the whole list \| (\d+) \| (\d+) \| (\d+) \| ([\d.]+) % ", text)
    assert told is not None
    assert (int(told[1]), int(told[2]), int(told[3])) == (len(LISTED.cells), total, len(measured))
    mean = (sum(measured) + 100 * (total - len(measured))) / total
    assert float(told[4]) == pytest.approx(mean, abs=0.11)
    assert re.search(r"^On the list before: [\d.]+ % over 378 cells, ", text, re.M)
