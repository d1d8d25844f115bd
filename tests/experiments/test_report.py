"""From results to records, scores and pages: `rck repro` and `rck repro --report`."""

from __future__ import annotations

import functools
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rockcreek import errors, resources
from rockcreek.cli.commands.repro import repro
from rockcreek.formats.study import Cell
from rockcreek.repro import record, score
from rockcreek.repro.pages.list_page import list_page
from rockcreek.repro.pages.overview import overview, told
from rockcreek.repro.pages.study_page import study_page
from rockcreek.repro.published import load_all
from rockcreek.repro.reproduce import Options, reproduce
from rockcreek.repro.scored import LeftOut, ScoredList, load_scored
from rockcreek.repro.standing import Standing, standing
from rockcreek.repro.study import load_study

Make = Callable[..., Path]

SCORED = """\
[scored]
a-number = 1
a-table = 2
[[left_out]]
entries = ["a-table"]
cells = "write"
kind = "arithmetic"
why = "twice the cell beside it"
[[left_out]]
entries = ["a-limit"]
kind = "input"
why = "a reason"
[[mark]]
entries = ["a-number"]
kind = "chosen"
why = "its word was chosen by it"
[before]
a-number = 1
a-table = 4
[before_bounds]
a-number = "at least"
"""


@functools.cache
def result(folder: Path) -> dict[str, Any]:
    """The small study's, run once for all tests: its files are the same in each of them."""
    study = load_study(folder, "small")
    return reproduce(study, load_all(folder), Options(out=folder.parent / "out", quiet=True))


RUN: list[Path] = []  # the first test's folder


@pytest.fixture
def folder(experiments: Make, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of studies that the command takes for its own, and a result of its study."""
    made = experiments()
    (made / "scored.toml").write_text(SCORED)
    (made.parent / "docs").mkdir()
    monkeypatch.setattr(resources, "experiments_folder", lambda: made)
    RUN.append(made)
    result(RUN[0])
    if RUN[0] != made:
        shutil.copytree(RUN[0].parent / "out", made.parent / "out")
    return made


def recorded(folder: Path) -> Standing:
    study = load_study(folder, "small")
    record.save_record(record.of_result(result(RUN[0]), study), study.folder)
    return standing(folder)


def cell(name: str, error: float | None, counts: bool = True) -> Cell:
    return Cell(id=name, cell="", quantity="", unit="", source="", where="", published=1.0,
                ours=1.0, error=error, within=0.1, counts=counts, verdict="")  # fmt: skip


def test_the_score_by_hand() -> None:
    listed = {"a": 2, "b": 1, "wild": 1, "c": 4}
    cells = [cell("a", 0.1), cell("a", -0.3), cell("b", 0.2), cell("wild", 7.0)]
    ignored = [cell("b", 0.9, counts=False), cell("not-listed", 0.5), cell("c", None)]
    found = score.errors_of([*cells, *ignored], listed)
    assert found == {"a": [0.1, 0.3], "b": [0.2], "wild": [1.0]}
    # Cells: (0.1 + 0.3 + 0.2 + 1 + 4 * 1) / 8; entries: (0.2 + 0.2 + 1 + 1) / 4.
    assert score.score(listed, found) == score.Score(4, 8, 4, 0.7, 1.0, 0.6)
    assert score.score({"a": 2}, found) == score.Score(1, 2, 2, 0.2, 0.2, 0.2)
    assert score.score({}, found).mean == 0
    assert score.fitted({"x": {"y": {"fit": ["a", "b"]}}, "fit": ["c"]}) == {"a", "b", "c"}


def test_what_the_chip_decides_leaves_out_what_judges_something_else() -> None:
    marks = {"simulated": {"no chip": "why"}, "tuned": {"chosen": "why"}, "k": {"kernel": "why"}}
    names = ("plain", "simulated", "tuned", "fit", "k")
    listed = ScoredList(dict.fromkeys(names, 1), marks=marks, before={"plain": 1})
    cells = [cell(name, 0.1 * i) for i, name in enumerate(names, 1)]
    scores = list(score.summary(listed, cells, cells, {"fit"}).scores.values())
    assert [item.cells for item in scores] == [5, 5, 3, 2]
    assert scores[-1].mean == pytest.approx((0.1 + 0.5) / 2)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("a-table = 2", "a-table = 0", "scored.a-table: 0 is not a number of cells"),
        ('kind = "arithmetic"', 'kind = "missed"', "kind: 'missed' is none of arithmetic, "),
        ('why = "a reason"', "", "why is missing"),
        ('entries = ["a-limit"]', "entries = []", "entries names none"),
        ('kind = "chosen"', 'kind = "chooses"', "is none of chosen, no chip, kernel"),
        ("[before]", "[berofe]", "berofe is not known; did you mean 'before'?"),
    ],
)
def test_a_bad_list_is_an_error(folder: Path, old: str, new: str, message: str) -> None:
    assert old in SCORED
    (folder / "scored.toml").write_text(SCORED.replace(old, new, 1))
    with pytest.raises(errors.InputError) as caught:
        load_scored(folder)
    assert message in caught.value.message


def test_a_column_is_left_out_by_its_name() -> None:
    item = LeftOut("a-table", "write", "arithmetic", "why")
    assert item.names("near, write") and not item.names("near, read")
    assert LeftOut("a-table", "", "input", "why").names("near, read")


def test_a_small_difference_is_one_and_x(experiments: Make) -> None:
    from small_study import PUBLISHED

    text = PUBLISHED.replace('value = 100\nunit = "ns"', 'value = 2\nunit = "%"\ndifference = true')
    entry = load_all(experiments(published=text))["a-number"]
    assert entry.error(2, 4) == pytest.approx(104 / 102 - 1)
    with pytest.raises(errors.InputError, match="difference: its unit must be %"):
        load_all(experiments(published=text.replace('"%"', '"ns"')))


def test_a_study_page_says_everything(folder: Path) -> None:
    text = study_page("small", recorded(folder), "../images/small.png")
    assert text.startswith("# A study (`small`)\n\nTwo runs.\n")
    assert "| a-number (c) |  | ns | 100 | 110 | +10.0 % | 10 % | met |" in text
    assert "| a-trend: it rises [marc-2011, nowhere] | [110, 110] | holds |" in text
    assert "![A study](../images/small.png)" in text
    assert "| echo | `echo.c` | `rck cc ` |" in text
    assert "Compiler: Clang of ziglang " in text
    assert "Measured on 20" in text and " at commit " in text


def test_the_overview_has_the_scores(folder: Path) -> None:
    here = recorded(folder)
    text = overview(here, "images/all.png")
    # The whole list: 0.1 of a-number and twice 1 of a-table; of the list before a-number has none.
    assert "| the whole list | 2 | 3 | 1 | 70.0 % | 100.0 % | 55.0 % |" in text
    assert "| what studies have measured of it | 1 | 1 | 1 | 10.0 % | 10.0 % | 10.0 % |" in text
    assert "what the chip decides | 0 | 0 | 0 | 0.0 % |" in text
    assert "On the list before: 80.0 % over 5 cells, 0.0 % over 1 cells that studies" in text
    assert "![All measured cells, published against ours](images/all.png)" in text
    assert "| [small](fidelity/small.md) | A study |" in text
    assert "On the list before: 80.0 % over 5 cells" in told(here)
    listing = list_page(here)
    assert "| a-table | a table | 2 | 1, 3 | us | marc-2011, nowhere |" in listing
    assert "| a-table, write | a table | twice the cell beside it |" in listing
    assert "| a-limit | a limit | a reason |" in listing
    assert "| c | a-number | its word was chosen by it |" in listing


def test_what_is_missed_has_its_reason(folder: Path) -> None:
    study, compared = folder / "small/study.toml", 'published = "a-number"'
    study.write_text(study.read_text().replace(compared, f"{compared}\nwithin = 0.05"))
    here = recorded(folder)
    assert "| a-number | a-number: 100, 110 (+10.0 %) | not explained yet |" in overview(here, None)
    reason = '[[missed]]\nentries = ["a-number"]\nwhy = "it counts from one"\n'
    (folder / "missed.toml").write_text(reason)
    assert "(+10.0 %) | it counts from one |" in overview(standing(folder), None)
    assert "Missed: it counts from one." in study_page("small", standing(folder), None)
    (folder / "missed.toml").write_text(reason + reason)
    with pytest.raises(errors.InputError, match="a-number has a reason already"):
        standing(folder)


def test_what_is_not_measured_may_have_a_reason(folder: Path) -> None:
    """An entry that counts, and is in no study; one that does not count is not told."""
    reason = '[[missed]]\nentries = ["a-table", "a-limit"]\nwhy = "its device is not here"\n'
    (folder / "missed.toml").write_text(reason)
    assert "| a-table |  | its device is not here |" in overview(recorded(folder), None)


def command(*words: str) -> Any:
    return CliRunner().invoke(repro, list(words), catch_exceptions=False, standalone_mode=False)


def test_report_records_results_and_keeps_what_was_not_run_again(folder: Path) -> None:
    out = folder.parent / "out"
    recorded(folder)
    (folder / "small/measured.json").unlink()
    told_by_command = command("--report", "--out", str(out))
    page = folder.parent / "docs/fidelity.md"
    study = folder.parent / "docs/fidelity/small.md"
    assert "1 studies anew, 0 as they were measured before" in told_by_command.stderr
    assert (folder.parent / "docs/images/fidelity/overview.png").is_file()
    assert "](../images/fidelity/small.png)" in study.read_text()
    kept = json.loads((folder / "small/measured.json").read_text())
    kept["date"], kept["commits"] = "2026-01-02", ["abc", "def"]
    record.save_record(kept, folder / "small")
    again = command("--report", "--out", str(folder.parent / "nothing"))
    assert "0 studies anew, 1 as they were measured before" in again.stderr
    assert "Measured on 2026-01-02 at commit one of abc, def." in study.read_text()
    assert "| 2026-01-02 | one of abc, def |" in page.read_text()


def test_pages_elsewhere_record_nothing(folder: Path) -> None:
    recorded(folder)
    (folder / "small/measured.json").unlink()
    elsewhere = folder.parent / "mine.md"
    command("--report", "--out", str(folder.parent / "out"), "--page", str(elsewhere))
    assert elsewhere.is_file() and (folder.parent / "mine/small.md").is_file()
    assert (
        "](mine/small.md)" in elsewhere.read_text() and "](mine/list.md)" in elsewhere.read_text()
    )
    assert "](../mine.md)" in (folder.parent / "mine/list.md").read_text()
    assert not (folder / "small/measured.json").exists()
    with pytest.raises(errors.UsageError, match=r"must end in \.md"):
        command("--report", "--page", str(folder.parent / "mine"))


def test_the_command_alone_prints_where_all_studies_stand(folder: Path) -> None:
    recorded(folder)
    result = command("--out", str(folder.parent / "nothing"))
    assert result.return_value == 0
    assert "the whole list" in result.stdout and "On the list before" in result.stdout


def test_a_result_of_an_earlier_version_is_no_record(folder: Path) -> None:
    study, made = load_study(folder, "small"), result(RUN[0])
    old = {**made, "host": {"wall_s": 1.0, "version": "0", "commit": "abc"}}
    with pytest.raises(errors.RockcreekError, match="is of an earlier rck"):
        record.of_result(old, study)


def test_a_record_of_another_kind_is_an_error(folder: Path) -> None:
    path = folder / "small/measured.json"
    path.write_text("{")
    with pytest.raises(errors.InputError, match=r"measured\.json: "):
        standing(folder)
    path.write_text("[]")
    with pytest.raises(errors.InputError, match="is not of the schema"):
        standing(folder)
