"""Man pages and completion come from the definitions that `--help` shows."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from click.shell_completion import BashComplete
from click.testing import CliRunner

from rockcreek.cli import man_pages, manual
from rockcreek.cli.app import app

PAGES = {page.name: page for page in manual.pages()}


def test_every_command_has_a_page_with_all_its_options() -> None:
    assert {"rck", "rck run", "rck show core", "rck man"} <= PAGES.keys()
    run = app.get_command(app.make_context("rck", ["run"], resilient_parsing=True), "run")
    assert run is not None
    told = " ".join(flags for flags, _ in PAGES["rck run"].options)
    for parameter in run.params:
        for name in parameter.opts:
            assert name in told or parameter.param_type_name == "argument"
    assert all(page.summary for page in PAGES.values())


def test_man_writes_them(tmp_path: Path) -> None:
    runner = CliRunner()
    made = runner.invoke(app, ["man", "--output", str(tmp_path / "man1")], standalone_mode=False)
    assert made.exit_code == 0, made.exception
    names = {path.name for path in (tmp_path / "man1").iterdir()}
    assert names == {f"{page.file_name}.1" for page in PAGES.values()}
    page = (tmp_path / "man1/rck-run.1").read_text()
    assert page.startswith(".TH RCK-RUN 1") and "\\-\\-cores LIST" in page
    assert runner.invoke(app, ["man", "show", "core"]).output.startswith(".TH RCK-SHOW-CORE 1")


@pytest.mark.skipif(shutil.which("groff") is None, reason="needs groff")
def test_roff_has_nothing_to_complain_of() -> None:
    for name in ("rck", "rck run", "rck completion"):
        done = subprocess.run(
            ["groff", "-man", "-ww", "-z"],
            input=man_pages.render(PAGES[name]), text=True, capture_output=True, check=True,
        )  # fmt: skip
        assert done.stderr == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell: str) -> None:
    done = CliRunner().invoke(app, ["completion", shell], standalone_mode=False)
    assert "_RCK_COMPLETE" in done.output


def test_what_is_completed() -> None:
    complete = BashComplete(app, {}, "rck", "_RCK_COMPLETE")
    assert [one.value for one in complete.get_completions([], "pro")] == ["profile"]
    assert "--cores" in [one.value for one in complete.get_completions(["run"], "--co")]
    assert [one.value for one in complete.get_completions(["show"], "lu")] == ["lut"]
