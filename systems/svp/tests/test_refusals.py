"""What SVP refuses: the words, the place and the hint of each case, and that all cores end."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.guest_programs import RCK, compile_program

SOURCE = Path(__file__).parent / "refuses.c"

# The case, the core that reports it, what it says, and the hint.
CASES = {
    "exclusive": (0, "svp_exclusive: there is no exclusive place 16", "numbers are 1 to 15"),
    "lut": (0, "no free LUT entry: all 32 show memory that is mapped", "svp_unmap"),
    "room": (0, "no room for 209715200 bytes: 1 allocations of 336 MB in all", "svp_free"),
    "free": (0, "svp_free: 0x54000000 is no allocation of this core", "free once"),
    "sync": (0, "svp_sync: there is no family 0", "until sync"),
    "global": (0, "sync of waits, whose global channel 0 nobody has written", "svp_put_global"),
    "forgets": (2, "thread 0 of forgetful: ended without a sync of the family plain", "svp_sync"),
    "twice": (3, "thread 0 of writes: shared channel 0 is written twice", "written once"),
    "map": (0, "svp_map: 4 bytes at", "svp_alloc"),
    "step": (0, "svp_create: plain with step 0 and block 0", "steps may be"),
    "copies": (0, "svp_start: 3 copy cores, and two places, of 4 cores", "more cores"),
}


def _run(flags: list[str], *words: str) -> subprocess.CompletedProcess[str]:
    program = compile_program(SOURCE, ["-O2", "-lsvp", *flags])
    command = [*RCK, "run", "-q", "-n", "4", "--tag", "none", "--env", "TCPIP_SOCKETS=bypass"]
    command += [str(program), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


# Over sockets a core that fails is seen by its connections.
@pytest.mark.parametrize(
    ("case", "flags"),
    [*((case, []) for case in CASES), ("forgets", ["-ltcpip"]), ("global", ["-ltcpip"])],
)
def test_refusal(case: str, flags: list[str]) -> None:
    core, told, hint = CASES[case]
    done = _run(flags, case)
    assert done.returncode == 1
    assert done.stdout == ""
    assert f"svp: core {core}: {told}" in done.stderr
    assert hint in done.stderr.split("hint: ")[1]


def test_a_core_that_leaves_without_a_word_is_told_of_by_another_one() -> None:
    done = _run(["-ltcpip"], "leaves")
    assert done.returncode == 1
    told = "core 2 is gone: it has closed its connections\nhint: only svp_end in main"
    assert told in done.stderr


def test_the_original_transport_without_sockets() -> None:
    done = _run([], "original")
    assert done.returncode == 1
    assert done.stderr.startswith("svp: core 0: the original transport goes over TCP/IP")
    assert done.stderr.count("hint: make tcpip, and link with -lsvp -llwip -ltcpip") == 1


def test_a_larger_chip() -> None:
    program = compile_program(SOURCE, ["-O2", "-lsvp"])
    command = [*RCK, "run", "-q", "--chip", "scc-128", "-n", "100", "--tag", "none", str(program)]
    done = subprocess.run([*command, "place"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "SVP needs an SCC of 48 cores\nhint: leave out --chip" in done.stderr
