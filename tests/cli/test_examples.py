"""Programs that come ready, and what to cite."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from rockcreek import resources
from rockcreek.cli.app import app
from rockcreek.errors import NotFoundError
from rockcreek.repro.citations import entries
from rockcreek.repro.study import study_ids

ROOT = Path(__file__).resolve().parents[2]


def rck(*arguments: str) -> str:
    done = CliRunner().invoke(app, arguments, standalone_mode=False, catch_exceptions=False)
    return done.output


def test_every_example_of_one_source_comes_ready() -> None:
    folders = [path.parent.name for path in (ROOT / "examples").glob("*/*.c")]
    single = {name for name in folders if folders.count(name) == 1}
    assert set(resources.example_names()) == single
    listed = rck("examples").splitlines()
    assert [line.split()[0] for line in listed] == sorted(single)
    assert all(len(line.split()) > 4 for line in listed)


def test_where_one_is() -> None:
    program = Path(rck("examples", "ring").strip())
    assert program.read_bytes()[:4] == b"\x7fELF"
    source = ROOT / "examples/ring/ring.c"
    assert program.with_suffix(".c").read_bytes() == source.read_bytes()
    with pytest.raises(NotFoundError, match="ring"):
        rck("examples", "rign")


def test_a_name_alone_is_told_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotFoundError) as raised:
        rck("run", "stencil")
    assert raised.value.hint is not None and "$(rck examples stencil)" in raised.value.hint


def test_copies(tmp_path: Path) -> None:
    rck("examples", "hello", "--output", str(tmp_path / "mine"))
    assert {path.name for path in (tmp_path / "mine").iterdir()} == {"hello", "hello.c"}


def cited(*arguments: str) -> list[str]:
    return re.findall(r"^@\w+\{([^,]+),", rck("cite", *arguments), re.M)


def test_what_is_cited(tmp_path: Path) -> None:
    assert cited() == ["rockcreek", "howard-isscc-2010"]
    assert cited("scctalk")[2:] and set(cited("scctalk")[2:]) <= entries().keys()
    assert len(cited("--chip")) > 10
    result = {"schema": {"name": "rockcreek-result", "version": 1}, "chip": {"name": "scc"}}
    (tmp_path / "r.json").write_text(json.dumps(result))
    assert cited(str(tmp_path / "r.json")) == cited("--chip")


@pytest.mark.parametrize("study", study_ids(ROOT / "experiments"))
def test_every_study_names_its_papers(study: str) -> None:
    keys = cited(study)
    assert keys[:2] == ["rockcreek", "howard-isscc-2010"]
    assert set(keys[1:]) <= entries().keys() and len(keys) == len(set(keys))
