"""Runs side by side on this host: nobody else can reach what does them, and no kill loses one."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rockcreek.sweep import processes, workers

KILLED = "__import__('os').kill(__import__('os').getpid(), 9)"
PLAN = """
program = "point"

[vary]
jitter = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24]
"""
LISTENING_TCP, LISTENING_UNIX = "0A", "00010000"
linux = pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="needs Linux's /proc")


def ended(tasks: list[str], retries: int = 1) -> dict[int, tuple[object, str | None]]:
    found = processes.perform(eval, [(task,) for task in tasks], jobs=2, retries=retries)
    return {number: (result, why) for number, result, why in found}


def test_results_and_errors() -> None:
    found = ended(["6 * 7", "1 / 0", "lambda: 0", "[None]", "raise_"])
    assert (found[0], found[1]) == ((42, None), (None, "division by zero"))
    assert "pickle" in str(found[2][1])
    assert found[3] == ([None], None)
    assert "not defined" in str(found[4][1])


def test_a_process_that_dies_is_replaced(tmp_path: Path) -> None:
    once = tmp_path / "once"
    name = repr(str(once))
    dies_once = f"__import__('os').path.exists({name}) or (open({name}, 'x'), {KILLED})"
    found = ended([dies_once, KILLED, "2"])
    assert found == {
        0: (True, None),
        1: (None, "its process died 2 times: signal 9"),
        2: (2, None),
    }


def test_no_task_is_begun_twice_at_once() -> None:
    done = list(workers.perform(eval, [(str(n),) for n in range(20)], jobs=3))
    assert sorted(done) == [(n, n, None) for n in range(20)]


def test_a_script_from_standard_input() -> None:
    # No file to import again, and no `if __name__`.
    script = (
        "from rockcreek.sweep import processes\n"
        "print(list(processes.perform(eval, [('6 * 7',)], jobs=1, retries=0)))"
    )
    done = subprocess.run(
        [sys.executable, "-"], input=script, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "[(0, 42, None)]\n"), done.stderr


def test_a_module_of_the_current_folder_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("multiprocessing", "rockcreek", "signal"):
        (tmp_path / f"{name}.py").write_text("open('ran', 'w')\nraise SystemExit(3)\n")
    monkeypatch.chdir(tmp_path)
    assert ended(["6 * 7"]) == {0: (42, None)}
    assert not (tmp_path / "ran").exists()


def test_a_worker_whose_sweep_ends_while_it_starts_says_nothing() -> None:
    ours, theirs = multiprocessing.Pipe()
    ours.close()
    pipe = theirs.fileno()
    done = subprocess.run(
        [sys.executable, "-P", "-c", processes.BEGIN, str(pipe), str(pipe)],
        pass_fds=[pipe],
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.fixture
def command(tmp_path: Path, compile_guest: Callable[..., Path]) -> list[str]:
    program = compile_guest(Path(__file__).with_name("point.c"))
    (tmp_path / "point").write_bytes(Path(program).read_bytes())
    (tmp_path / "plan.toml").write_text(PLAN)
    words = ["sweep", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "out"), "--jobs", "2"]
    return [sys.executable, "-m", "rockcreek", *words]


def family(pid: int) -> list[int]:
    """A process and all that it has begun."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except FileNotFoundError:
        return []
    return [pid, *(one for child in children for one in family(int(child)))]


def sockets(pids: list[int]) -> set[str]:
    """The inodes of the sockets that these processes have open."""
    found = set()
    for pid in pids:
        for link in Path(f"/proc/{pid}/fd").glob("*"):
            try:
                target = os.readlink(link)
            except OSError:
                continue
            if target.startswith("socket:["):
                found.add(target[8:-1])
    return found


def listening() -> Iterator[str]:
    """The inodes of all sockets of the host that wait for connections."""
    for name in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]:
            words = line.split()
            if words[3] == LISTENING_TCP:
                yield words[9]
    for line in Path("/proc/net/unix").read_text().splitlines()[1:]:
        words = line.split()
        if words[3] == LISTENING_UNIX:
            yield words[6]


@linux
def test_nothing_listens_while_a_sweep_runs(command: list[str]) -> None:
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    most = 0
    while process.poll() is None:
        pids = family(process.pid)
        most = max(most, len(pids))
        assert not sockets(pids) & set(listening())
        time.sleep(0.02)
    assert process.returncode == 0
    assert most >= 3, "both workers were looked at"


def wait_for_rows(command: list[str], process: subprocess.Popen[bytes]) -> list[int]:
    """The sweep's processes, once it has a head and a row: most of its runs are to come."""
    rows = Path(command[command.index("--out") + 1]) / "rows.jsonl"
    while not rows.exists() or rows.read_bytes().count(b"\n") < 2:
        assert process.poll() is None
        time.sleep(0.02)
    return family(process.pid)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@linux
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_all_processes_end_with_the_first(command: list[str], number: int) -> None:
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )
    pids = wait_for_rows(command, process)
    # Ctrl-C reaches the whole group, a kill the first process alone.
    (os.killpg if number == signal.SIGINT else os.kill)(process.pid, number)
    _, said = process.communicate(timeout=20)
    if number == signal.SIGINT:
        assert (process.returncode, b"Traceback" in said) == (130, False), said
    deadline = time.monotonic() + 20
    while any(map(alive, pids)):
        assert time.monotonic() < deadline, "a worker goes on"
        time.sleep(0.05)
    done = subprocess.run(command, check=False, capture_output=True)
    assert (done.returncode, done.stdout[:7]) == (0, b"24 runs")
