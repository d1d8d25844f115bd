"""Families whose messages go over TCP/IP: all transports do the same, under the checker."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.guest_programs import compile_program, run_program

from rockcreek.toolchain import stack

HERE = Path(__file__).parent
SOCKETS = ("-O2", "-lsvp", "-llwip", "-ltcpip")
ORIGINAL, DIRECT, REMAP, COPY = "0", "1", "2", "3"


@pytest.mark.slow
@pytest.mark.skipif(not stack.there(), reason="needs lwIP, which `make tcpip` builds")
@pytest.mark.parametrize(
    ("transport", "copies"), [(ORIGINAL, "0"), (DIRECT, "0"), (REMAP, "0"), (COPY, "1")]
)
def test_families_over_tcp(transport: str, copies: str) -> None:
    program = compile_program(HERE / "basics.c", SOCKETS)
    options = ["-n", "4", "--tag", "none", "--check", "coherence"]
    ran = run_program(program, transport, copies, options=options)
    assert ran.returncode == 0, ran.stderr
    assert "chain: 0 1 1 2 3 5 8 13 21 34\nbreak: found 37\nkilled: yes\nleft over: 0\n" in (
        ran.stdout
    )
    assert "no findings" in ran.stderr
