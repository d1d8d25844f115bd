"""Guest programs that go wrong, on the real chip: what rck says, and its exit code."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from guest_programs import RCK
from rockcreek.software import image

SEGFAULT = """\
#include <stdlib.h>
__attribute__((noinline)) static int lookup(volatile int *table, int i)
{
    return table[i];
}
int main(int argc, char **argv)
{
    volatile int *table = argc > 5 ? (int *)argv : NULL;
    return lookup(table, 4) + 1;
}
"""
SLEEPER_AND_FAULT = """\
#include <unistd.h>
#include "RCCE.h"
int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    if (RCCE_ue() == 1)
        sleep(1000);
    return *(volatile int *)8;
}
"""
CMOV = """\
int main(int argc, char **argv)
{
    int result = 7;
    (void)argv;
    __asm__ volatile(".byte 0x0f, 0x44, 0xc1" : "+a"(result) : "c"(argc));
    return result;
}
"""
SSE = """\
int main(void)
{
    __asm__ volatile(".byte 0x0f, 0x28, 0xc1");
    return 0;
}
"""
DIVISION = """\
int main(int argc, char **argv)
{
    volatile int zero = argc - argc;
    (void)argv;
    return 10 / zero;
}
"""
ABORT = "#include <assert.h>\nint main(void) { assert(1 > 2); return 0; }\n"
WAITS = """\
#include "RCCE.h"
int RCCE_APP(int argc, char **argv)
{
    char text[32];
    RCCE_init(&argc, &argv);
    if (RCCE_ue() == 1)
        RCCE_recv(text, sizeof text, 0);
    return 0;
}
"""
ENDLESS = "int main(void) { volatile int on = 1; while (on) { } return 0; }\n"
SAYS_SO_FIRST = """\
#include <stdio.h>
int main(void)
{
    volatile int on = 1;
    puts("on");
    while (on) { }
    return 0;
}
"""
MANY_LINES = """\
#include <stdio.h>
int main(void)
{
    for (int i = 0; i < 2000; i++)
        printf("line %d\\n", i);
    return 0;
}
"""
LEAVE_SHARE = """\
#include <errno.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "r");
        printf("%s: %s\\n", argv[i], file ? "opened" : strerror(errno));
    }
    return 0;
}
"""


def one_message(result: subprocess.CompletedProcess[str], code: int, *words: str) -> None:
    assert result.returncode == code, result.stderr
    assert result.stderr.count("rck: ") == 1, result.stderr
    assert "hint: " in result.stderr
    for word in words:
        assert word in result.stderr, result.stderr


def test_segmentation_fault(guest, run_guest) -> None:
    program = guest(SEGFAULT, ["-O1"])
    result = run_guest(program, options=["-q", "--cores", "7"])
    one_message(result, 76, "core 07 (tile 3,0): segmentation fault at address 0x00000010")
    assert re.search(r"at lookup \(prog\.c:4\), EIP 0x0804[0-9a-f]{4}", result.stderr)
    assert "called from main (prog.c:9)" in result.stderr


def test_a_fault_ends_the_others_at_a_definite_instant(guest, run_guest, tmp_path) -> None:
    """The cores sleep in no host time at all: the end must not depend on the host's speed."""
    program = guest(SLEEPER_AND_FAULT, ["-lrcce"])
    results = []
    for name in ("a.json", "b.json"):
        file = tmp_path / name
        result = run_guest(program, options=["-q", "-n", "2", "--json", str(file)])
        assert result.returncode == 76
        results.append(json.loads(file.read_text()))
    fault_ps = results[0]["cores"][0]["end_ps"]
    assert 20 * 10**9 <= results[0]["time_ps"] - fault_ps < 20 * 10**9 + 10**7
    for result in results:
        del result["host"]
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("text", "name"), [(CMOV, "cmove eax,ecx` (a Pentium Pro"), (SSE, "(an SSE or AVX")]
)
def test_illegal_instruction(guest, run_guest, text: str, name: str) -> None:
    result = run_guest(guest(text), options=["-q"])
    one_message(result, 76, "core 00 (tile 0,0): illegal instruction", "rck cc", "main (prog.c:")
    assert name.replace(" ", "") in result.stderr.replace(" ", "")


def test_division_by_zero(guest, run_guest) -> None:
    result = run_guest(guest(DIVISION, ["-O0"]), options=["-q"])
    one_message(result, 76, "arithmetic fault (division by zero or overflow)", "main (prog.c:5)")


def test_failed_assertion(guest, run_guest) -> None:
    result = run_guest(guest(ABORT), options=["-q"])
    one_message(result, 76, "aborted", "Assertion failed: 1 > 2")


def test_kernel_panic(guest, rck, monkeypatch, tmp_path: Path) -> None:
    program = tmp_path / "high"
    data = bytearray(guest(ENDLESS).read_bytes())
    header, count = int.from_bytes(data[28:32], "little"), int.from_bytes(data[44:46], "little")
    for index in range(count):
        entry = header + 32 * index
        if data[entry : entry + 4] == b"\x01\0\0\0":
            # The first segment goes where the kernel itself is.
            data[entry + 8 + 3] = 0xF0
            break
    program.write_bytes(data)
    # rck would refuse the program; the kernel looks at it again.
    monkeypatch.setattr(image, "_check_segments", lambda _: None)
    answer = rck("run", "-q", program)
    assert answer.code == 76, answer.err
    assert "outside user space" in answer.err
    assert "rck: core 00 (tile 0,0): kernel panic" in answer.err
    assert "hint: " in answer.err


@pytest.mark.parametrize(
    ("way", "end", "told"),
    [
        ([], "deadlock", "deadlock: nothing can ever change again at 100.000 ms"),
        (["--threads", "2"], "deadlock", "deadlock: nothing can ever change again at 100.000 ms"),
        (["--no-translate"], "deadlock", "deadlock: nothing can ever change again at 100.000 ms"),
        (["--no-skip"], "timeout", "stopped after 2 s (--timeout)"),
    ],
)
def test_a_core_that_waits_for_ever(
    guest, run_guest, tmp_path: Path, way: list[str], end: str, told: str
) -> None:
    program = guest(WAITS, ["-lrcce"])
    path = tmp_path / "r.json"
    options = ["-q", "-n", "2", *way, "--json", str(path)]
    result = run_guest(program, options=options, timeout_s=2 if end == "timeout" else 60)
    one_message(result, 75, told, "1 of 2 cores had not ended", "core 01 (tile 0,0) in ")
    assert re.search(
        r"called from RCCE_recv \(RCCE_recv\.c:\d+\)\n +called from main \(prog\.c:7\)\n",
        result.stderr,
    )
    document = json.loads(path.read_text())
    assert document["partial"] and document["end"] == end
    assert document["cores"][1]["waits"][-1].startswith("main (prog.c:7")


def test_ctrl_c(guest) -> None:
    program = guest(SAYS_SO_FIRST, ["-O0"])
    process = subprocess.Popen(
        [*RCK, "run", "-q", str(program)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "on\n"
    process.send_signal(signal.SIGINT)
    start = time.monotonic()
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert time.monotonic() - start < 5
    assert "rck: interrupted at " in err and "in main (prog.c:6)" in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this host has no /dev/full")
def test_full_disk(guest) -> None:
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [*RCK, "run", "-q", str(guest(MANY_LINES))],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    one_message(result, 74, "stdout: No space left on device")


def test_closed_pipe(guest) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    result = subprocess.run(
        [*RCK, "run", "-q", str(guest(MANY_LINES))],
        stdout=writer, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    os.close(writer)
    one_message(result, 74, "stdout: Broken pipe")


def test_nothing_leads_out_of_the_share(guest, run_guest, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("not for guests")
    share = tmp_path / "share"
    share.mkdir()
    (share / "inside").write_text("for guests")
    (share / "absolute").symlink_to(secret)
    (share / "relative").symlink_to("../secret")
    program = guest(LEAVE_SHARE)
    names = ["/inside", "/absolute", "/relative", "/../secret", str(secret)]
    result = run_guest(program, *names, options=["-q", "--share", str(share)])
    told = dict(line.split(": ", 1) for line in result.stdout.splitlines())
    assert told.pop("/inside") == "opened"
    assert len(told) == 4 and "opened" not in told.values(), result.stdout
    for name in ("/absolute", "/relative"):
        assert f"core 00 (tile 0,0): {name} leads out of the shared folder" in result.stderr


def test_without_share_no_file_is_visible(guest, run_guest) -> None:
    program = guest(LEAVE_SHARE)
    result = run_guest(program, str(program), __file__, options=["-q"])
    assert "opened" not in result.stdout and result.stdout.count("\n") == 2


def test_a_program_that_sleeps_for_ever_is_a_deadlock(guest, run_guest) -> None:
    program = guest("#include <unistd.h>\nint main(void) { pause(); return 0; }\n")
    result = run_guest(program, options=["-q"])
    one_message(result, 75, "deadlock", "1 of 1 cores had not ended", "core 00 (tile 0,0) halted")
