"""`rck repro --experiments DIR`: studies of a user's own; `rck sweep --csv`."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import rockcreek
from rockcreek.cli.app import app
from small_study import ANALYSIS, STUDY

ECHO = """\
#include <stdio.h>
int main(int argc, char **argv)
{
    printf("%s\\n", argv[argc - 1]);
    return 0;
}
"""


def rck(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [*map(str, arguments)], standalone_mode=False)


@pytest.fixture
def mine(experiments: Callable[..., Path]) -> Path:
    return experiments(analysis=ANALYSIS)


def test_a_study_of_ones_own(mine: Path, tmp_path: Path) -> None:
    assert rck("repro", "--experiments", mine).stdout == "small  A study\n"
    out = tmp_path / "out"
    done = rck("repro", "--experiments", mine, "--quick", "-q", "--out", out, "small")
    assert done.exit_code == 0, done.exception
    assert "a-number" in done.stdout and "110" in done.stdout


def test_what_is_no_study(mine: Path, tmp_path: Path) -> None:
    for words, told in (
        (("--experiments", tmp_path / "nowhere"), "no folder of it has a study.toml"),
        (("--experiments", mine, "--report"), "the pages are of the studies that come"),
        (("--experiments", mine, "smal"), "did you mean 'small'"),
    ):
        error = rck("repro", *words).exception
        assert isinstance(error, rockcreek.RockcreekError), error
        assert told in str(error) and error.hint


def test_a_study_without_its_file(experiments: Callable[..., Path], tmp_path: Path) -> None:
    needs = 'needs = { file = "words", make = "words" }\n'
    mine = experiments(study=needs + STUDY, analysis=ANALYSIS)
    words = ("repro", "--experiments", mine, "--quick", "-q", "--out", tmp_path / "out")
    error = rck(*words, "small").exception
    assert isinstance(error, rockcreek.RockcreekError), error
    assert "study small: there is no" in str(error) and "`make words` makes it" in str(error.hint)
    left_out = rck(*words, "--all")
    assert left_out.exit_code == 0 and "a-number" not in left_out.stdout
    assert "small is left out: it needs words" in left_out.stderr
    (mine / "small/words").write_text("here\n")
    assert "a-number" in rck(*words, "--all").stdout


def test_csv(tmp_path: Path) -> None:
    (tmp_path / "echo.c").write_text(ECHO)
    rockcreek.compile(tmp_path / "echo.c", ["-O1"], output=tmp_path / "echo")
    plan = tmp_path / "plan.toml"
    plan.write_text('program = "echo"\n[vary]\narguments = [["a,b"], ["c"]]\n')
    table, words = tmp_path / "t.csv", ["-q", "--jobs", "1", "--out", tmp_path / "out", plan]
    done = rck("sweep", "--csv", table, *words)
    assert done.exit_code == 0, done.exception or done.output
    rows = list(csv.DictReader(table.open()))
    assert [row["arguments"] for row in rows] == ["a,b", "c"]
    assert {row["exit_code"] for row in rows} == {"0"}
    error = rck("sweep", "--csv", table, *words).exception
    assert isinstance(error, rockcreek.OutputError) and "exists" in str(error)
