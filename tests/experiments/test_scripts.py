"""Studies whose programs are scripts: with a stand-in for the interpreter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import rockcreek
from rockcreek.cli.app import app
from rockcreek.errors import InputError, NotFoundError
from rockcreek.interpreters import ruby
from rockcreek.repro.published import load_all
from rockcreek.repro.reproduce import Options, reproduce
from rockcreek.repro.study import load_study
from rockcreek.toolchain import built
from small_study import STUDY

# Prints the script's text as "a number", and on a line of its own what else it was given.
STAND_IN = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **words)
{
    char text[80];
    FILE *script = fopen(words[count - 2], "r");

    if (!script || !fgets(text, sizeof text, script))
        return 1;
    printf("%s%s %s %s %s %s\n", text, words[1], words[count - 3], words[count - 1], getenv("WAY"),
           access("/usr/lib/mark", R_OK) ? "no library" : "library");
    return 0;
}
"""
SCRIPTS = STUDY.replace('["echo.c"]', '["echo.rb"]\nflags = ["-w"]').replace(
    'arguments = ["{word}"]', 'arguments = ["{word}"]\nenv = { WAY = "by {word}" }'
)
ANALYSIS = """\
from rockcreek.repro.findings import Answer, Findings

def analyse(runs, chip):
    number, told = runs[0].text.splitlines()
    return Findings(values={"a-number": int(number)}, trends={"a-trend": Answer(True, told)})
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as `make ruby` leaves it."""
    folder = tmp_path / "ruby"
    (folder / "usr/bin").mkdir(parents=True)
    (folder / "usr/lib").mkdir()
    (folder / "usr/lib/mark").touch()
    rockcreek.compile(text=STAND_IN, output=folder / "usr/bin/ruby")
    (folder / "usr/bin" / built.STAMP).write_text(ruby.SOURCES.digest())
    monkeypatch.setenv("RCK_RUBY", str(folder))
    return folder


@pytest.fixture
def scripts(experiments: Callable[..., Path]) -> Path:
    """A study of one script."""
    folder = experiments(study=SCRIPTS, analysis=ANALYSIS)
    (folder / "small/echo.rb").write_text("105\n")
    return folder


def test_a_script_runs_as_by_rck_ruby(place: Path, scripts: Path, tmp_path: Path) -> None:
    options = Options(out=tmp_path / "out", quiet=True)
    result = reproduce(load_study(scripts, "small"), load_all(scripts), options)
    assert [cell["ours"] for cell in result["cells"]] == [105]
    assert [item["told"] for item in result["statements"]] == ["-rrck -w 110 by 110 library"]
    # Another text is another run.
    (scripts / "small/echo.rb").write_text("106\n")
    result = reproduce(load_study(scripts, "small"), load_all(scripts), options)
    assert [cell["ours"] for cell in result["cells"]] == [106]


def test_without_ruby_the_study_is_left_out(
    scripts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RCK_RUBY", str(tmp_path / "none"))
    words = ["repro", "--experiments", str(scripts), "-q", "--out", str(tmp_path / "out")]
    left_out = CliRunner().invoke(app, [*words, "--all"], standalone_mode=False)
    assert left_out.exit_code == 0
    assert "small is left out: it needs Ruby of today's sources" in left_out.stderr
    error = CliRunner().invoke(app, [*words, "small"], standalone_mode=False).exception
    assert isinstance(error, NotFoundError) and "'make ruby'" in str(error.hint)


def test_without_linux_a_study_of_it_is_left_out(
    place: Path, scripts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RCK_LINUX", str(tmp_path / "none"))
    text = SCRIPTS.replace('program = "echo"', 'program = "echo"\nkernel = "linux"')
    (scripts / "small/study.toml").write_text(text)
    words = ["repro", "--experiments", str(scripts), "-q", "--out", str(tmp_path / "out")]
    left_out = CliRunner().invoke(app, [*words, "--all"], standalone_mode=False)
    assert "small is left out: it needs Linux of today's sources" in left_out.stderr
    error = CliRunner().invoke(app, [*words, "small"], standalone_mode=False).exception
    assert isinstance(error, NotFoundError) and "'make linux'" in str(error.hint)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('program = "echo"', 'program = "echo"\nappend = "quiet"', "append: that is Linux's"),
        (
            'program = "echo"',
            'program = "echo"\nkernel = "linux"\nseeds = [1]',
            "a booted Linux has settled chip and seeds",
        ),
        ('flags = ["-w"]', "boot = true", "is neither boot nor mpi"),
        ('["echo.rb"]', '["echo.rb", "echo.c"]', "scripts of Ruby stand alone"),
        ('"by {word}"', '"by {wrd}"', "env: wrd is not a key of vary"),
    ],
)
def test_a_bad_script_is_told(scripts: Path, old: str, new: str, message: str) -> None:
    (scripts / "small/study.toml").write_text(SCRIPTS.replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        load_study(scripts, "small")


def test_a_study_may_compare_one_column(
    place: Path, experiments: Callable[..., Path], tmp_path: Path
) -> None:
    study = SCRIPTS.replace('"a-number"', '"a-table"\ncells = ["write"]')
    values = '{"a-table": {"near": [None, 3], "far": [None, 4]}}'
    folder = experiments(
        study=study, analysis=ANALYSIS.replace('{"a-number": int(number)}', values)
    )
    (folder / "small/echo.rb").write_text("1\n")
    options = Options(out=tmp_path / "out", quiet=True)
    result = reproduce(load_study(folder, "small"), load_all(folder), options)
    cells = {cell["cell"]: cell["verdict"] for cell in result["cells"]}
    assert cells == {"near, write": "missed", "far, write": "met"}
