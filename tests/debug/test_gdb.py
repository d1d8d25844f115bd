"""A gdb session, where gdb is installed: break in RCCE_send on core 5, look, step, continue."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from guest_programs import RCK

GDB = shutil.which("gdb")
PROGRAM = """
#include <stdio.h>
#include <RCCE.h>

int payload = 4711;

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), got = 0;
    if (me == 5) {
        RCCE_send((char *)&payload, sizeof payload, 2);
    } else if (me == 2) {
        RCCE_recv((char *)&got, sizeof got, 5);
        printf("got %d\\n", got);
    }
    RCCE_finalize();
    return 0;
}
"""


@pytest.mark.skipif(GDB is None, reason="gdb is not installed")
def test_gdb_session(guest, tmp_path: Path) -> None:
    program = guest(PROGRAM, ["-g", "-O1", "-lrcce"])
    run = subprocess.Popen(
        [*RCK, "run", "-q", "-n", "6", "--gdb", "127.0.0.1:0", str(program)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert run.stderr is not None
        line = run.stderr.readline()
        found = re.search(r"target remote ([0-9.:]+)", line)
        assert found, line
        commands = [
            "set pagination off",
            f"target remote {found[1]}",
            "break RCCE_send",
            "continue",
            "info threads",
            "print payload",
            "x/i $pc",
            "stepi",
            "print $pc",
            "monitor lut 5",
            "frame function main",
            "print me",
            "print $st0",
            "delete",
            "continue",
        ]
        script = tmp_path / "script"
        script.write_text("\n".join(commands) + "\n")
        gdb = subprocess.run(
            [str(GDB), "-nx", "-batch", "-x", str(script), str(program)],
            capture_output=True, text=True, timeout=200, check=False,
        )  # fmt: skip
        out = gdb.stdout
        assert re.search(r"Core 5 \(tile 2,0\)", out), out + gdb.stderr
        assert "RCCE_send" in out and "= 4711" in out and "= 5" in out, out
        assert "0xf8" in out + gdb.stderr and "exited normally" in out, out + gdb.stderr
        assert run.wait(timeout=60) == 0
        assert run.stdout is not None and "got 4711" in run.stdout.read()
    finally:
        run.kill()
        run.wait()
