"""gdb itself goes backwards in a run of many cores, where it is installed.

crates/debug/tests/reverse.rs speaks the protocol itself, and always runs.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rockcreek
from gdb_server import listening

HERE = Path(__file__).resolve().parent
GDB = shutil.which("gdb")
pytestmark = pytest.mark.skipif(GDB is None, reason="gdb is not installed")
TIMEOUT_S = 300
LAST = "No more reverse-execution history"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reverse")
    return rockcreek.compile(HERE / "back.c", ["-O1", "-g", "-lrcce"], output=folder / "back")


def session(program: Path, address: str, commands: list[str]) -> list[str]:
    """What gdb prints, one text for each command behind the first, which connects."""
    script = program.parent / "script"
    lines = ["set pagination off", f"target remote {address}"]
    for command in commands:
        lines += ["echo \\n@@@\\n", command]
    script.write_text("\n".join(lines) + "\n")
    done = subprocess.run(
        [str(GDB), "-nx", "-batch", "-x", script, program],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, timeout=TIMEOUT_S, check=False,
    )  # fmt: skip
    told = done.stdout.split("@@@\n")[1:]
    assert len(told) == len(commands), done.stdout
    return told


@pytest.mark.parametrize("cores", [6, pytest.param(48, marks=pytest.mark.slow)])
def test_reverse_continue_leads_to_the_store_of_last_write(program: Path, cores: int) -> None:
    rck = [sys.executable, "-m", "rockcreek"]
    record = [*rck, "run", "-q", "-n", str(cores), "--force", "--json", "r.json", program.name]
    subprocess.run(record, cwd=program.parent, check=True, stdout=subprocess.DEVNULL)
    last_write = [*rck, "last-write", "--json", "r.json", "counter"]
    done = subprocess.run(
        last_write, cwd=program.parent, check=True, stdout=subprocess.PIPE, text=True
    )
    (last,) = json.loads(done.stdout)["writes"]
    assert last["core"] == cores - 1

    commands = [
        "monitor stop-at-end", "continue", f"thread {cores}", "watch counter", "reverse-continue",
        "print counter", "x/2i $pc", "monitor time", "info registers", "stepi", "print counter",
        "monitor time", "reverse-stepi", "info registers", "reverse-continue", "reverse-finish",
        "reverse-step", "reverse-next", "delete", "reverse-continue", "continue", "continue",
    ]  # fmt: skip
    with listening("run", "-q", "-n", cores, "--gdb", "127.0.0.1:0", program) as (run, address):
        told = session(program, address, commands)
        out, errors = run.communicate(timeout=60)
    assert run.returncode == 0 and out == f"[{cores - 1:02}] total 10\n", out
    wanted = (4, 6, 7, 8, 11, 13, 14, 15, 16, 17, 19, 20, 21)
    (stop, store, ahead, there, here, again, before, finish, step, line, begin, latest, end) = (
        told[n] for n in wanted
    )
    # At the last store, not yet done.
    assert "Old value = 6\nNew value = 3" in stop and "add (number=number@entry=3)" in stop, stop
    assert "= 3" in told[5], told[5]
    behind = re.findall(r"0x[0-9a-f]+", store.splitlines()[1])[0]
    assert int(behind, 16) == last["eip"], store
    assert int(ahead.split()[0]) < last["time_ps"]
    # Forward over it, and back again: the registers are what they were.
    assert "= 6" in told[10] and int(here.split()[0]) == last["time_ps"], told[10] + here
    assert "eip" in there and again == there
    # The store before it; out of the function; lines backwards.
    assert "New value = 1" in before and "(number=number@entry=2)" in before, before
    assert "total += add(round)" in finish, finish
    assert "total += add(round)" in step, step
    assert "if (RCCE_ue() == RCCE_num_ues() - 1)" in line, line
    # The beginning of the record, and the latest moment; then the run ends as it does.
    assert LAST in begin and LAST in latest, begin + latest
    assert "exited normally" in end, end
    assert "gdb looks at the past of the run" in errors
