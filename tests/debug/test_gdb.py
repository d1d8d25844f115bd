"""Sessions of gdb itself, where it is installed: break in RCCE_send on core 5, look, step,
continue; watch data; attach to a run; 16-bit code.

test_protocol.py and crates/debug/tests/protocol.rs speak the protocol themselves, and always run.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from gdb_server import SEND, listening

GDB = shutil.which("gdb")
pytestmark = pytest.mark.skipif(GDB is None, reason="gdb is not installed")
TIMEOUT_S = 200

COUNT = """
volatile int value = 5;
int table[4];

int main(void)
{
    for (int i = 0; i < 4; i++)
        table[i] = value + i;
    while (value != 42)
        ;
    return 7;
}
"""


def gdb(commands: list[str], *program: Path, folder: Path) -> str:
    """What gdb prints, on both streams."""
    script = folder / "script"
    script.write_text("\n".join(["set pagination off", *commands]) + "\n")
    done = subprocess.run(
        [str(GDB), "-nx", "-batch", "-x", script, *program],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, timeout=TIMEOUT_S, check=False,
    )  # fmt: skip
    return done.stdout


def test_break_in_rcce_send(guest, tmp_path: Path) -> None:
    program = guest(SEND, ["-g", "-O1", "-lrcce"])
    with listening("run", "-q", "-n", 6, "--gdb", "127.0.0.1:0", program) as (run, address):
        out = gdb(
            [
                f"target remote {address}", "break RCCE_send", "continue", "info threads",
                "print payload", "x/i $pc", "stepi", "print $pc", "monitor lut 5",
                "frame function main", "print me", "print $st0", "delete", "continue",
            ],
            program,
            folder=tmp_path,
        )  # fmt: skip
        assert re.search(r"\* 6 .*Core 5 \(tile 2,0\)", out), out
        assert "RCCE_send" in out and "= 4711" in out and "= 5" in out, out
        assert "0xf8" in out and "exited normally" in out, out
        assert run.wait(timeout=60) == 0
        assert run.stdout is not None and "got 4711" in run.stdout.read()


def test_watchpoints(guest, tmp_path: Path) -> None:
    program = guest(COUNT, ["-g", "-O1"])
    with listening("run", "-q", "--cores", 3, "--gdb", 0, program) as (run, address):
        out = gdb(
            [
                f"target remote {address}", "watch table[2]", "continue", "print table",
                "delete", "rwatch value", "continue", "awatch table[3]", "delete 2",
                "continue", "print i", "delete", "set var value = 42", "continue",
            ],
            program,
            folder=tmp_path,
        )  # fmt: skip
        # Of ours, not gdb's own that step: they are called so.
        assert "Hardware watchpoint 1: table[2]" in out, out
        assert "Old value = 0\nNew value = 7" in out and "{5, 6, 7, 0}" in out, out
        assert "Hardware read watchpoint 2: value\n\nValue = 5" in out, out
        assert "Hardware access (read/write) watchpoint 3: table[3]" in out, out
        assert run.wait(timeout=60) == 7, out


def test_attaching_to_a_run(guest, tmp_path: Path) -> None:
    program = guest(COUNT, ["-g", "-O1"])
    options = ["--cores", 3, "--gdb", "localhost:0", "--gdb-nowait"]
    with listening("run", "-q", *options, program) as (run, address):
        look = [f"target remote {address}", "info threads", "print value", "detach"]
        for _ in range(2):
            out = gdb(look, program, folder=tmp_path)
            assert "Core 3 (tile 1,0)" in out and "= 5" in out and "detached" in out, out
            assert run.poll() is None
        change = [look[0], "set var value = 42", "detach"]
        out = gdb(change, program, folder=tmp_path)
        assert run.wait(timeout=60) == 7, out


def test_sixteen_bit_code_at_the_reset_vector(tmp_path: Path) -> None:
    image = tmp_path / "boot.bin"
    # At FFFFFFF0: jmp 1000:0000; there: mov ax, 1234h; mov ds, ax; inc word [10h]; hlt.
    image.write_bytes(bytes.fromhex("ea00000010").ljust(16, b"\0"))
    code = tmp_path / "code.bin"
    code.write_bytes(bytes.fromhex("b83412 8ed8 ff061000 f4"))
    load = ["--load", f"{image}@0xFFFFFFF0", "--load", f"{code}@0x10000", "--cores", 7]
    with listening("boot", "-q", *load, "--gdb", 0) as (run, address):
        out = gdb(
            [
                "set architecture i386", f"target remote {address}", "print $pc", "stepi",
                "print $pc", "break *0x10005", "continue", "watch *(short *)0x12350", "continue",
                "print $pc", "print $ds_base", "monitor regs 7", "monitor code 7 1", "continue",
            ],
            folder=tmp_path,
        )  # fmt: skip
        assert "0xfffffff0" in out and "0x10000" in out, out
        assert "Breakpoint 1, 0x00010005" in out, out
        assert "Old value = 0\nNew value = 1" in out and "0x10009" in out, out
        assert "= (void *) 0x12340" in out and "core 7: real mode" in out, out
        assert re.search(r"0x00010009  1000:00000009  f4 +hlt", out), out
        # A chip at rest is reported as a stop; when gdb leaves, the run ends there.
        assert "SIGINT" in out and run.wait(timeout=60) == 0, out
