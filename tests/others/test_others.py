"""`make others`' table and runner: on a program of our own, whose package is a folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from others import run

SOURCE = '#include <stdio.h>\nint main(int c, char **v) { return !printf("%zu\\n", sizeof(%s)); }\n'


class Folder:
    """A shelf whose packages are at hand."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def provide(self, name: str, package: dict[str, Any]) -> Path:
        if self.folder is None:
            raise run.FetchError(f"{name}: 404 Not Found")
        return self.folder


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> run.Program:
    monkeypatch.setattr(run, "BUILD", tmp_path / "build")
    row = {"name": "own", "build": ["{cc} -o own own.c"], "program": "own", "version": "1",
           "registry": "none", "licence": "MIT"}  # fmt: skip
    return run.Program("own", row)


def test_every_row_is_whole() -> None:
    rows = run.programs()
    assert len(rows) >= 60
    for each in rows:
        assert re.fullmatch("[0-9a-f]{64}", each.row["sha256"])
        assert {"registry", "name", "version", "licence", "build", "program"} <= each.row.keys()
        assert any("{c" in command for command in each.row["build"])


@pytest.mark.parametrize(
    ("type_", "result"), [("short", "same"), ("long", "fails: compare"), ("none", "fails: build")]
)
def test_results(tmp_path: Path, program: run.Program, type_: str, result: str) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package/own.c").write_text(SOURCE.replace("%s", type_))
    found = run.compare(program, Folder(tmp_path / "package"))  # type: ignore[arg-type]
    assert found["result"] == result, found
    assert found["key"] == program.key


def test_lines_of_times_are_not_compared(tmp_path: Path, program: run.Program) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package/own.c").write_text(SOURCE.replace("%s", "long"))
    program.row["timed"] = r"\d"
    found = run.compare(program, Folder(tmp_path / "package"))  # type: ignore[arg-type]
    assert found["result"] == "same", found


def test_what_cannot_be_fetched_is_said(program: run.Program) -> None:
    found = run.compare(program, Folder(None))  # type: ignore[arg-type]
    assert (found["result"], found["said"]) == ("not fetched", "own: 404 Not Found")
    text = run.page([program], {"own": found}, "2026-01-01")
    assert "0 of 1 are the same" in text and "| own | 1 | none | MIT | not fetched | " in text
