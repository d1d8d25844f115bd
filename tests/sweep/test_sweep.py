"""Sweeps: the same table, whatever is killed meanwhile and whoever does the runs."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rockcreek.errors import HostLimit, InputError, OutputError, UsageError
from rockcreek.results.result import END_HOST_LIMIT
from rockcreek.sweep import point, read_plan, sweep
from rockcreek.sweep.store import Store

POINTS = 202
PLAN = """
program = "point"

[vary]
n = [1, 2]
arguments = [["1"], ["2"], ["3"], ["4"], ["5"]]
jitter = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]

[[point]]
n = 49

[[point]]
jitter = 7
description = 'base = "scc"'
"""


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory, compile_guest: Callable[..., Path]) -> Path:
    folder = tmp_path_factory.mktemp("sweep")
    program = compile_guest(Path(__file__).with_name("point.c"))
    (folder / "point").write_bytes(Path(program).read_bytes())
    (folder / "plan.toml").write_text(PLAN)
    return folder / "plan.toml"


@pytest.fixture(scope="module")
def undisturbed(plan: Path) -> bytes:
    """The Parquet file of a sweep that nothing disturbs."""
    done = sweep(read_plan(plan), plan.parent / "undisturbed", jobs=2)
    assert len(done.table) == POINTS
    assert not done.lost
    # A program that fails, on one core and on two, and a chip that has no 49 cores.
    assert sorted(done.failed) == [*range(40, 60), *range(140, 160), 200]
    assert done.failed[40] == "exit code 5"
    assert "49" in done.failed[200]
    assert done.table.column("end")[200] == "failed"
    return done.parquet.read_bytes()


@pytest.mark.slow
def test_killed_twice(plan: Path, undisturbed: bytes) -> None:
    out = plan.parent / "killed"
    command = [sys.executable, "-m", "rockcreek", "sweep", str(plan), "--out", str(out)]
    command += ["--jobs", "1", "-q"]
    for rows in (50, 120):
        begun = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            _wait_for_rows(out / "rows.jsonl", rows)
        finally:
            begun.send_signal(signal.SIGKILL)
            begun.wait()
        assert not (out / "runs.parquet").exists()
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 1
    assert "202 runs, 41 failed" in done.stdout
    assert (out / "runs.parquet").read_bytes() == undisturbed


def _wait_for_rows(path: Path, rows: int) -> None:
    for _ in range(24000):
        if path.exists() and path.read_bytes().count(b"\n") > rows:
            return
        time.sleep(0.025)
    raise AssertionError(f"{path} never had {rows} rows")


@pytest.mark.slow
def test_two_workers_of_a_cluster_one_killed(plan: Path, undisturbed: bytes) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        out = plan.parent / "cluster"
        victim = next(iter(cluster.workers.values())).pid

        def kill() -> None:
            _wait_for_rows(out / "rows.jsonl", 80)
            os.kill(victim, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        done = sweep(read_plan(plan), out, scheduler=cluster.scheduler_address)
        killer.join()
    assert not done.lost
    assert done.parquet.read_bytes() == undisturbed


def test_torn_line(tmp_path: Path) -> None:
    with Store(tmp_path, "key") as store:
        store.add(0, {"end": "exited", "exit_code": 0})
        store.add(1, {"end": "exited", "exit_code": 0})
        with pytest.raises(UsageError, match="another sweep"):
            Store(tmp_path, "key")
    rows = tmp_path / "rows.jsonl"
    rows.write_bytes(rows.read_bytes()[:-4])
    with Store(tmp_path, "key") as store:
        assert sorted(store.rows) == [0]
    with pytest.raises(UsageError, match="another plan"):
        Store(tmp_path, "other")
    with Store(tmp_path, "other", anew=True) as store:
        assert not store.rows


@pytest.mark.parametrize("device", ["/dev/full", "/dev/zero", "pipe"])
def test_rows_without_an_end_are_refused(tmp_path: Path, device: str) -> None:
    if device == "pipe":
        os.mkfifo(tmp_path / "rows.jsonl")
    else:
        (tmp_path / "rows.jsonl").symlink_to(device)
    with pytest.raises(OutputError, match="is no regular file"):
        Store(tmp_path, "key")


@pytest.mark.parametrize("damage", ["flipped", "flipped head", "empty line", "zeros"])
def test_a_line_that_the_disk_has_changed(tmp_path: Path, damage: str) -> None:
    """The good rows are kept, the others are named and are there to be made again."""
    with Store(tmp_path, "key") as store:
        for index in range(4):
            store.add(index, {"end": "exited", "exit_code": 0, "time_s": 0.25})
    path = tmp_path / "rows.jsonl"
    lines = path.read_bytes().split(b"\n")
    if damage == "flipped":
        lines[2] = lines[2].replace(b"0.25", b"0.35")
    elif damage == "flipped head":
        lines[0] = lines[0].replace(b"plan", b"pl\xe1n")
    elif damage == "empty line":
        lines.insert(2, b"")
    else:
        lines[2] = b"\0" * len(lines[2])
    path.write_bytes(b"\n".join(lines))
    lost = {1} if damage in ("flipped", "zeros") else set()
    for _ in range(2):
        with Store(tmp_path, "key") as store:
            assert store.damaged == [1 if damage == "flipped head" else 3]
            assert set(store.rows) == {0, 1, 2, 3} - lost
            for index in lost:
                store.add(index, {"end": "exited", "exit_code": 0, "time_s": 0.25})
        lost = set()
    with pytest.raises(UsageError, match="another plan"):
        Store(tmp_path, "other")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("program = 'a'\nclock = '1'", "'clock' is no parameter of a run"),
        ("program = 'a'\nn = '1'", "n = '1': wants int"),
        ("program = 'a'\nn = true", "n = True: wants int"),
        ("n = 1", "no `program`"),
        ("program = 'a'\nvary = 3", "`vary` is a table"),
        ("program = 'a'\n[vary]\nn = 3", "vary.n: is no list"),
        ("program =", "plan.toml"),
    ],
)
def test_wrong_plans(tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"plan\.toml") as error:
        read_plan(path)
    assert what in error.value.message


@pytest.mark.parametrize(("number", "kept"), [(errno.EIO, False), (errno.ENOENT, True)])
def test_what_the_host_did_is_no_row(
    monkeypatch: pytest.MonkeyPatch, number: int, kept: bool
) -> None:
    def fails(_: object) -> None:
        raise InputError("prog: cannot be read", path="prog") from OSError(number, "why")

    monkeypatch.setattr(point, "_run", fails)
    if kept:
        assert point.measure({"program": "prog"})["end"] == "failed"
    else:
        with pytest.raises(OSError, match="cannot be read"):
            point.measure({"program": "prog"})


def test_a_run_that_the_host_ended_is_no_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """What there was of it until its host had no more memory is no property of the point."""

    class Ended:
        def to_dict(self) -> dict[str, object]:
            return {"end": END_HOST_LIMIT, "errors": ["no more memory"], "exit_code": 71}

    monkeypatch.setattr(point, "_run", lambda _: Ended())
    with pytest.raises(HostLimit, match="no more memory"):
        point.measure({"program": "prog"})
