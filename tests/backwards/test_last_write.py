"""`rck last-write` finds who wrote bytes last, and goes backwards from there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import rockcreek
from rockcreek.cli.app import app
from rockcreek.errors import InputError, ReportedError, UsageError

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("backwards")
    return rockcreek.compile(HERE / "who.c", ["-O1", "-g", "-lrcce"], output=folder / "who")


def record(program: Path, name: str, *arguments: str) -> Path:
    """The result of a run of two cores."""
    command = ["run", "-q", "-n", "2", "--force", "--json", name, program.name, *arguments]
    subprocess.run([sys.executable, "-m", "rockcreek", *command], cwd=program.parent, check=False)
    return program.parent / name


def last_write(*words: object) -> Result:
    return CliRunner().invoke(app, ["last-write", *map(str, words)], standalone_mode=False)


def writes(*words: object) -> list[dict[str, Any]]:
    done = last_write("--json", *words)
    assert done.exception is None, done.exception
    found: list[dict[str, Any]] = json.loads(done.stdout)["writes"]
    return found


def test_backwards_through_all_writes(program: Path) -> None:
    result = record(program, "r.json")
    (last,) = writes(result, "counter")
    assert (last["core"], last["value"], last["function"]) == (1, "06000000", "add")
    assert last["file"].endswith("who.c") and last["line"] == 8
    assert 0 < last["time_ps"] < json.loads(result.read_text())["time_ps"]
    (earlier,) = writes(result, "counter", "--before", f"{last['time_ps']}ps")
    assert earlier["value"] == "03000000" and earlier["time_ps"] < last["time_ps"]
    # These writes, all in one run; the first ones clear the memory.
    three = writes(result, "counter", "--last", 3, "--core", 1)
    assert three[:2] == [last, earlier]
    assert three[2]["value"] == "01000000"
    done = last_write(result, "counter")
    assert done.return_value == 0 and done.stderr == ""
    assert "counter: core 01 at " in done.stdout and "in add (who.c:8): 06000000 = 6" in done.stdout


def test_a_run_that_is_another_one_says_so(program: Path) -> None:
    result = record(program, "other.json")
    changed = json.loads(result.read_text())
    changed["state_hash"] = "0" * len(changed["state_hash"])
    result.write_text(json.dumps(changed))
    assert "not repeated exactly" in last_write(result, "counter").stderr


def test_a_run_for_ever_is_repeated_up_to_the_instant(program: Path) -> None:
    result = record(program, "stuck.json", "stuck")
    assert json.loads(result.read_text())["end"] == "deadlock"
    (last,) = writes(result, "counter", "--before", "700us")
    assert last["value"] == "06000000"


def test_what_nobody_wrote(program: Path) -> None:
    result = record(program, "r.json")
    done = last_write(result, "counter", "--before", "1us")
    assert done.return_value == 1 and done.stdout.startswith("counter: nobody wrote it before 1")


def test_wrong_words(program: Path, tmp_path: Path) -> None:
    result = record(program, "r.json")
    for words, kind, told in (
        ((result, "conter"), UsageError, "did you mean 'counter'"),
        ((tmp_path / "none.json", "counter"), InputError, "none.json"),
    ):
        error = last_write(*words).exception
        assert isinstance(error, kind) and told in str(error)
    other = json.loads(result.read_text())
    other["program"]["sha256"] = "0" * 64
    (tmp_path / "other.json").write_text(json.dumps(other))
    error = last_write(tmp_path / "other.json", "counter").exception
    assert isinstance(error, InputError) and "another program" in str(error)


def test_a_run_that_does_not_begin_says_why(program: Path) -> None:
    from rockcreek.backwards.last_write import Wanted, find

    wanted = Wanted(0, 4, None, None, 1)
    with pytest.raises(ReportedError, match="99"):
        find(["--cores", "99", str(program)], program.parent, [], wanted)
