"""Ten thousand families on 48 cores, in any order of them, at several clocks, by each transport."""

from __future__ import annotations

import random
import re
import subprocess
from pathlib import Path

import pytest
from tests.guest_programs import RCK, compile_program

from rockcreek.toolchain import stack

SOURCE = Path(__file__).parents[1] / "programs" / "storm.c"
CORES = 48
# More are asked for than run: those that a killed family would have created are not.
ASKED = 12_500
RUN = 10_000
TOLD = re.compile(r"families \d+ ran (\d+) killed (\d+) broken (\d+) wrong (\d+) left over (\d+)\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "transport", "copies", "clocks", "sockets"),
    [
        (1, "original", 0, "800/1600/1066", ["-llwip", "-ltcpip"]),
        (2, "direct", 0, "533/800/800", []),
        (3, "remap", 0, "400/800/1066", []),
        (4, "copy", 4, "533/1600/800", ["-llwip", "-ltcpip"]),
    ],
)
def test_storm(seed: int, transport: str, copies: int, clocks: str, sockets: list[str]) -> None:
    if sockets and not stack.there():
        pytest.skip("needs lwIP, which `make tcpip` builds")
    cores = random.Random(seed).sample(range(CORES), CORES)
    program = compile_program(SOURCE, ["-O2", "-lsvp", *sockets])
    command = [*RCK, "run", "-q", "--tag", "none", "--clocks", clocks, "--jitter", str(seed)]
    command += ["--cores", ",".join(map(str, cores)), str(program)]
    command += [transport, str(copies), str(ASKED), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3600, check=False)
    told = TOLD.fullmatch(done.stdout)
    assert done.returncode == 0, done.stderr
    assert told is not None, done.stdout
    ran, killed, broken, wrong, left = map(int, told.groups())
    assert ran >= RUN
    assert killed > 0
    assert broken > 0
    assert (wrong, left) == (0, 0)
