"""`rck whatif` is a run made by hand, and says what it cannot repeat."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import rockcreek
from rockcreek.cli.app import app

HERE = Path(__file__).resolve().parent


def rck(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [*map(str, arguments)], standalone_mode=False)


@pytest.fixture
def ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program and its result, as the command wrote it."""
    rockcreek.compile(HERE / "serial.c", ["-O1", "-lrcce"], output=tmp_path / "serial")
    monkeypatch.chdir(tmp_path)
    words = ["run", "-q", "--cores", "0,10", "--until", "300us", "--json", "r.json"]
    words += ["--clocks", "533/800/1066", "--jitter", "3", "--trace", "t", "serial", "one"]
    monkeypatch.setattr("sys.argv", ["rck", *words])
    assert rck(*words).exit_code == 0
    os.remove("t")
    return tmp_path


def without_host(path: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(Path(path).read_text())
    del document["host"]
    return document


def test_it_is_the_run_made_by_hand(ran: Path) -> None:
    done = rck("whatif", "r.json", "--mesh", "1600", "--result", "new.json")
    assert done.exit_code == 0, done.exception
    assert "clocks: 533/800/1066 -> 533/1600/1066" in done.stdout
    assert "time, ms" not in done.stdout and "instructions" in done.stdout
    hand = ["--clocks", "533/1600/1066", "--jitter", "3", "--cores", "0,10", "--until", "300us"]
    assert rck("run", "-q", "--json", "hand.json", *hand, "serial", "one").exit_code == 0
    assert without_host("new.json") == without_host("hand.json")
    # Files of the first run are not written again.
    assert not os.path.exists("t")


def test_caches_and_parameters(ran: Path) -> None:
    done = rck("whatif", "--json", "r.json", "--l1", "32K", "--set", "cache.l2_ways=8")
    assert done.exit_code == 0, done.exception
    told = json.loads(done.stdout)
    assert told["changes"] == {"l1": "32K", "cache.l2_ways": "8"}
    assert [one["name"] for one in told["setup"]] == ["chip description"]


def test_what_cannot_be_repeated(ran: Path) -> None:
    def refused(told: str, *words: str) -> None:
        error = rck("whatif", *words).exception
        assert isinstance(error, rockcreek.RockcreekError), error
        assert told in str(error) and error.hint

    refused("nothing is to change", "r.json")
    refused("did you mean 'l2_size'", "r.json", "--set", "cache.l2_sise=1")
    refused("is not a size", "r.json", "--l2", "much")
    document = json.loads(Path("r.json").read_text())
    for place, told in (("command", "its command is not there"), ("directory", "is gone")):
        changed = json.loads(json.dumps(document))
        changed["host"][place] = ["rck", "boot", "x"] if place == "command" else "/nowhere-at-all"
        Path("other.json").write_text(json.dumps(changed))
        refused(told, "other.json", "--mesh", "1600")
    changed = json.loads(json.dumps(document))
    changed["chip"]["sha256"] = "0" * 64
    Path("other.json").write_text(json.dumps(changed))
    refused("is another one now", "other.json", "--mesh", "1600")
    rockcreek.compile(HERE / "serial.c", ["-O2", "-lrcce"], output=ran / "serial")
    refused("another program", "r.json", "--mesh", "1600")
