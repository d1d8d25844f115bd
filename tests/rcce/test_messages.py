"""Who sent how much to whom, observed from outside: the right matrix, and nothing else changed."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rockcreek
from rockcreek.cli.app import invoke
from rockcreek.reading.result import checked

HERE = Path(__file__).parent
UES = 5
Compile = Callable[..., Path]


def pairs(traffic: list[dict[str, int]]) -> dict[tuple[int, int], tuple[int, int]]:
    return {(p["source"], p["target"]): (p["messages"], p["bytes"]) for p in traffic}


def calls(seen: dict[str, Any]) -> dict[str, tuple[int, int, int]]:
    return {call["name"]: (call["calls"], call["bytes"], call["refused"]) for call in seen["calls"]}


def due() -> dict[tuple[int, int], tuple[int, int]]:
    """The matrix of matrix.c: its own messages, and those of its broadcast and reduction."""
    matrix: dict[tuple[int, int], list[int]] = {}

    def add(source: int, target: int, count: int, size: int) -> None:
        cell = matrix.setdefault((source, target), [0, 0])
        cell[0] += count
        cell[1] += count * size

    for ue in range(UES):
        add(ue, (ue + 1) % UES, ue + 1, 10 * (ue + 1))
        if ue != 0:
            add(ue, 0, 1, 5000)
            add(ue, 0, 1, 4)
            add(0, ue, 1, 4)
        if ue != 1:
            add(1, ue, 1, 100)
    return {pair: (count, size) for pair, (count, size) in matrix.items()}


@pytest.fixture(scope="module")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("matrix") / "matrix"
    flags = ["-O2", str(HERE / "matrix.c"), "-lircce", "-lrcce", "-o", str(program)]
    assert invoke(["cc", *flags]) == 0
    return program


@pytest.fixture(scope="module")
def watched(matrix: Path) -> rockcreek.Result:
    return rockcreek.run(matrix, n=UES, messages=True).check()


def test_each_message_counts_once(watched: rockcreek.Result) -> None:
    seen = watched.messages
    assert seen is not None
    assert pairs(seen["messages"]) == due()
    collective = (UES - 1) * 3
    assert seen["in_collectives"] == collective
    messages = sum(count for count, _ in due().values())
    assert sum(part["messages"] for part in seen["sizes"]) == messages
    # Of i + 1 messages the first, the fifth ... go by RCCE_send, and so on.
    ways = [0, 0, 0, 0]
    for ue in range(UES):
        for n in range(ue + 1):
            ways[n % 4] += 1
    counted = calls(seen)
    assert counted["RCCE_send"][::2] == (ways[0] + UES - 1 + 2 * UES, 2 * UES)
    assert counted["iRCCE_ssend"][0] == ways[1]
    assert counted["iRCCE_isend"][::2] == (ways[2] + UES, UES)
    assert counted["iRCCE_issend"][0] == ways[3]
    assert counted["RCCE_bcast"] == (UES, 100 * UES, 0)
    assert counted["RCCE_allreduce"] == (UES, 4 * UES, 0)
    assert counted["RCCE_coll_bcast"] == (UES, 640 * UES, 0)
    assert counted["RCCE_coll_barrier"] == (UES, 0, 0)


def test_nothing_else_changes(matrix: Path, watched: rockcreek.Result) -> None:
    plain = rockcreek.run(matrix, n=UES).check()
    assert plain.messages is None
    interpreted = rockcreek.run(matrix, n=UES, messages=True, translate=False)
    restless = rockcreek.run(matrix, n=UES, messages=True, skip=False)
    threaded = rockcreek.run(matrix, n=UES, messages=True, threads=2)
    for other in (plain, interpreted, restless, threaded):
        assert other.state_hash == watched.state_hash
        assert (other.time_ps, other.statistics) == (watched.time_ps, watched.statistics)
        assert other.totals == watched.totals
    for other in (interpreted, restless, threaded):
        assert other.messages == watched.messages


def test_the_library_s_own_log_says_the_same(matrix: Path) -> None:
    log = rockcreek.run(matrix, n=UES, env={"RCCE_LOG": "sizes"}).check().stderr.decode()
    row = re.compile(r"RCCE log: (\d+) to (\d+): (\d+) messages, (\d+) bytes")
    told = {(int(a), int(b)): (int(n), int(size)) for a, b, n, size in row.findall(log)}
    assert told == due()


def test_puts_and_gets(compile_guest: Compile) -> None:
    program = compile_guest(HERE / "matrix_gory.c", ["-O2", "-lrcce"])
    result = rockcreek.run(program, n=3, messages=True).check()
    seen = result.messages
    assert seen is not None
    checked(json.loads(result.to_json()), "r.json")  # it can be read again
    put = {(ue, (ue + 1) % 3): (3, 288) for ue in range(3)}
    own = {(ue, ue): (1, 1) for ue in range(3)}
    assert pairs(seen["puts"]) == put | own
    assert pairs(seen["gets"]) == {(ue, (ue + 1) % 3): (1, 128) for ue in range(3)}
    assert pairs(seen["messages"]) == {(0, 1): (1, 100)}


def test_the_command(matrix: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    result, picture = tmp_path / "r.json", tmp_path / "m.png"
    assert invoke(["run", "-q", "-n", "5", "--messages", "--json", str(result), str(matrix)]) == 0
    told = capfd.readouterr().err
    total = sum(count for count, _ in due().values())
    size = sum(size for _, size in due().values())
    assert f"rck: {total} messages, {size:,} bytes, over {len(due())} pairs" in told
    assert pairs(json.loads(result.read_text())["messages"]["messages"]) == due()
    pytest.importorskip("matplotlib")
    assert invoke(["plot", "messages", str(result), "--out", str(picture)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_program_without_the_library(
    compile_guest: Compile, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "plain.c"
    source.write_text("int main(void) { return 0; }\n")
    program = compile_guest(source, [])
    capfd.readouterr()
    assert invoke(["run", "-q", "--messages", str(program)]) == 0
    assert "name no function of RCCE" in capfd.readouterr().err
    assert invoke(["plot", "messages", str(source), "--out", str(tmp_path / "x.png")]) == 65
    assert "is not JSON" in capfd.readouterr().err


def test_a_matrix_survives_save_and_restore(
    matrix: Path, watched: rockcreek.Result, tmp_path: Path
) -> None:
    half, saved = watched.time_ps // 2, str(tmp_path / "half.rck")
    first = rockcreek.run(matrix, n=UES, messages=True, until_ps=half, save=saved)
    line = ["run", "-q", "--messages", "--json", str(tmp_path / "r.json"), "--restore", saved]
    subprocess.run([*rck(), *line], check=True, capture_output=True)
    second = json.loads((tmp_path / "r.json").read_text())
    assert second["state_hash"] == watched.state_hash
    assert first.messages is not None
    total = [
        sum(pair["messages"] for pair in part["messages"])
        for part in (first.messages, second["messages"])
    ]
    assert sum(total) == sum(count for count, _ in due().values())


def rck() -> list[str]:
    import sys

    return [sys.executable, "-m", "rockcreek"]
