"""`rck why` names the cause of runs whose cause is known, and `rck whatif` runs them again."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import rockcreek
from rockcreek.cli.app import app
from rockcreek.errors import InputError
from rockcreek.reading import trace

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="session")
def record(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., tuple[Path, Path]]:
    """A run of a program of this folder: its result and its trace."""
    folder = tmp_path_factory.mktemp("why")

    @cache
    def run(name: str, cores: str, argument: str = "", flags: str = "-lrcce") -> tuple[Path, Path]:
        program = rockcreek.compile(HERE / f"{name}.c", ["-O1", "-g", flags])
        stem = folder / f"{name}{argument}"
        traced = stem.with_suffix(".pftrace")
        command = ["run", "-q", "--cores", cores, "--json", f"{stem}.json"]
        command += [] if name == "controller" else ["--trace", str(traced)]
        command += ["--threads-model", "strong"] if name == "sharing" else []
        done = CliRunner().invoke(app, [*command, str(program), *argument.split()])
        assert done.exit_code == 0, done.output
        return stem.with_suffix(".json"), traced

    return run


def why(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["why", *map(str, arguments)], standalone_mode=False)


def causes(*arguments: str | Path) -> list[dict[str, Any]]:
    done = why("--json", *arguments)
    assert done.exit_code == 0, done.exception
    found: list[dict[str, Any]] = json.loads(done.stdout)["causes"]
    return found


RUNS = (
    # A run, what counters alone say first, what the trace says first, the cores to blame.
    (("imbalance", "0-5"), "imbalance", "imbalance", [2]),
    (("slow_tile", "0,8,20,30"), "slow-tile", "slow-tile", [0]),
    (("serial", "0-7"), "synchronisation", "serial-barrier", []),
    (("controller", "0-47"), "hot-controller", None, []),
    (("sharing", "0-3", "false", "-pthread"), "sharing", "false-sharing", None),
)


@pytest.mark.parametrize(("run", "plain", "traced", "cores"), RUNS)
def test_the_cause_is_named(
    record: Any, run: tuple[str, ...], plain: str, traced: str | None, cores: list[int] | None
) -> None:
    result, recorded = record(*run)
    first, *_ = causes(result)
    assert first["kind"] == plain
    if traced is not None:
        first, *_ = causes(result, "--trace", recorded)
        assert first["kind"] == traced
    assert 0.1 <= first["share"] <= 1
    if cores is not None:
        assert first["cores"] == cores


def test_data_apart_is_not_shared(record: Any) -> None:
    result, recorded = record("sharing", "0-3", "apart", "-pthread")
    kinds = {one["kind"] for one in causes(result, "--trace", recorded)}
    assert not kinds & {"false-sharing", "sharing", "hot-controller"}


@pytest.mark.parametrize(("apart", "shares"), [(1, True), (8, False)])
def test_the_checker_shows_lines_that_cores_share(tmp_path: Path, apart: int, shares: bool) -> None:
    program = rockcreek.compile(HERE / "line.c", ["-O1", "-g", "-lrcce"], output=tmp_path / "line")
    path = tmp_path / "r.json"
    command = ["run", "-q", "-n", "3", "--check", "coherence", "--json", path, program, apart]
    CliRunner().invoke(app, list(map(str, command)))
    found = [one for one in causes(path) if one["kind"] == "false-sharing"]
    assert bool(found) == shares
    if shares:
        (cause,) = found
        assert cause["lost_writes"] > 0 and len(cause["cores"]) > 1
        assert "main (line.c:20)" in cause["text"] and "one line of 32 bytes" in cause["text"]


def test_messages_count_barriers(record: Any, tmp_path: Path) -> None:
    program = rockcreek.compile(HERE / "serial.c", ["-O1", "-lrcce"])
    counted = rockcreek.run(program, n=4, messages=True)
    path = tmp_path / "r.json"
    path.write_text(counted.to_json())
    first, *_ = causes(path)
    assert first["kind"] == "serial-barrier"
    assert "RCCE_barrier 301 times" in first["text"]


def test_the_critical_path_goes_over_the_core_that_was_late(record: Any) -> None:
    result, recorded = record("imbalance", "0-5")
    document = json.loads(why("--json", result, "--trace", recorded).stdout)
    path = document["critical_path"]
    first, *_ = path["cores"]
    assert first["core"] == 2 and first["ps"] > 0.9 * path["time_ps"]
    assert sum(one["ps"] for one in path["cores"]) == path["time_ps"]
    assert path["time_ps"] <= document["time_ps"]
    assert {one["for"] for one in document["waits"][:5]} == {2}
    assert {one["call"] for one in document["waits"]} == {"RCCE_barrier"}


def test_a_receiver_waits_for_its_sender(tmp_path: Path) -> None:
    program = rockcreek.compile(
        text="""
        #include <RCCE.h>
        static volatile int sum;
        int main(int argc, char **argv)
        {
            char data[64] = {0};
            RCCE_init(&argc, &argv);
            for (int n = 0; n < 4; n++) {
                for (int m = 0; m < 30000 && RCCE_ue() == 0; m++)
                    sum += m;
                if (RCCE_ue() == 0)
                    RCCE_send(data, sizeof data, 1);
                else
                    RCCE_recv(data, sizeof data, 0);
            }
            RCCE_finalize();
            return 0;
        }""",
        flags=["-O1", "-lrcce"],
    )
    recorded, path = tmp_path / "t.pftrace", tmp_path / "r.json"
    path.write_text(rockcreek.run(program, n=2, trace=recorded).to_json())
    document = json.loads(why("--json", path, "--trace", recorded).stdout)
    assert "late-messages" in [one["kind"] for one in document["causes"]]
    most = document["waits"][0]
    assert (most["core"], most["for"], most["call"]) == (1, 0, "RCCE_recv")
    first, *_ = document["critical_path"]["cores"]
    assert first["core"] == 0 and first["ps"] > 0.8 * document["time_ps"]


def test_words(record: Any) -> None:
    result, recorded = record("imbalance", "0-5")
    told = why(result).stdout
    assert "Most of all (imbalance): core 02 worked for" in told
    assert "Not recorded: who waited for whom" in told and "--trace T" in told
    told = why(result, "--trace", recorded).stdout
    assert "The critical path: 9" in told and "core 02 caused" in told
    assert "Not recorded: who waited" not in told


def test_what_does_not_belong_together(record: Any, tmp_path: Path) -> None:
    result, recorded = record("imbalance", "0-5")
    _, other = record("serial", "0-7")
    for arguments, told in (
        ((result, "--trace", other), "trace of another run"),
        ((result, "--trace", result), "no trace of rck"),
        ((recorded,), "is not JSON"),
        ((tmp_path / "none.json",), "No such file"),
    ):
        done = why(*arguments)
        assert isinstance(done.exception, InputError), done.output
        assert told in str(done.exception) and done.exception.hint
    broken = copy.deepcopy(json.loads(result.read_text()))
    broken["statistics"]["memory"][0]["busy_ps"] = "long"
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(broken))
    done = why(path)
    assert isinstance(done.exception, InputError) and "busy_ps" in str(done.exception)


def test_broken_traces(record: Any, tmp_path: Path) -> None:
    _, recorded = record("imbalance", "0-5")
    data = recorded.read_bytes()
    path = tmp_path / "t"
    whole = len(trace.load(recorded))
    for number in range(0, len(data), max(1, len(data) // 16)):
        for bad in (data[:number], data[:number] + b"\xff\x80" + data[number + 2 :]):
            path.write_bytes(bad)
            try:
                assert len(trace.load(path)) <= whole
            except InputError as error:
                assert error.hint
