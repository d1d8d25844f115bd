"""Programs over the TCP/IP stack; only where `make tcpip` was run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rockcreek.toolchain import stack

SYSTEM = Path(__file__).resolve().parents[1]
BUFFERS = ("mpb", "l1", "uncached")
PROGRAMS = ("programs/echo", "programs/storm", "programs/netio", "tests/errors", "tests/died",
            "tests/full", "tests/datagrams", "tests/more", "tests/crowd",
            "tests/pieces")  # fmt: skip
pytestmark = [
    pytest.mark.skipif(not stack.there(), reason="needs lwIP, which `make tcpip` builds"),
    pytest.mark.slow,
]


def rck(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rockcreek", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tcpip")
    for name in PROGRAMS:
        source = SYSTEM / f"{name}.c"
        said = rck("cc", "-O2", "-Wall", "-Wextra", str(source), "-llwip", "-ltcpip", "-o",
                   str(folder / source.stem))  # fmt: skip
        assert said.returncode == 0, said.stderr
    return folder


def run(built: Path, cores: int, *words: str, options: tuple[str, ...] = ()) -> str:
    said = rck("run", "-n", str(cores), "--until", "20s", "--timeout", "900s", "--tag", "none",
               *options, str(built / words[0]), *words[1:])  # fmt: skip
    assert said.returncode == 0, said.stderr
    return said.stdout + said.stderr


def test_echo_of_all_cores(built: Path) -> None:
    said = run(built, 48, "echo")
    assert all(f"hello from 192.168.4.{rank + 1}\n" in said for rank in range(1, 48))


@pytest.mark.parametrize("buffers", BUFFERS)
def test_a_storm_is_whole_and_nothing_is_stale(built: Path, buffers: str) -> None:
    options = ("--check", "coherence", "--env", f"TCPIP_BUFFERS={buffers}")
    said = run(built, 6, "storm", "8000", "5", options=options)
    assert "bytes from 5 cores: all right" in said
    assert "no findings" in said


@pytest.mark.parametrize("how", ["stack", "bypass"])
def test_a_storm_of_all_cores(built: Path, how: str) -> None:
    said = run(built, 48, "storm", "300", "6", options=("--env", f"TCPIP_SOCKETS={how}"))
    assert "bytes from 47 cores: all right" in said


def test_errors_are_those_of_the_bypass(built: Path) -> None:
    text = (SYSTEM / "tests/errors.c").read_text()
    expected = [line[3:] for line in text.splitlines() if line.startswith("// ")]
    expected = expected[expected.index("expect-stdout:") + 1 :]
    assert run(built, 1, "errors").splitlines()[: len(expected)] == expected


def test_full_buffers_are_told_and_lose_nothing(built: Path) -> None:
    said = run(built, 2, "full")
    assert "no room: Resource temporarily unavailable" in said
    assert "all that was sent has come" in said


def test_small_pieces_that_wait_leave_in_one_packet(built: Path) -> None:
    assert "1500 of 1500 pieces" in run(built, 4, "pieces")


def test_whatever_waits_there_is_memory_to_hear(built: Path) -> None:
    assert "47 of 47 clients have read all" in run(built, 48, "crowd")


def test_a_core_that_dies_is_an_error(built: Path) -> None:
    said = rck("run", "-n", "3", "--until", "20s", "--tag", "none", str(built / "died"))
    assert "rank 0: 5 bytes, then Connection reset by peer" in said.stdout
    assert "rank 0: 5 bytes, then the end" in said.stdout


def test_datagrams(built: Path) -> None:
    assert "8 datagrams, 9000 bytes in one" in run(built, 2, "datagrams")


def test_what_more_follows_goes_with_it(built: Path) -> None:
    assert sorted(run(built, 2, "more").splitlines()[:3]) == ["abcd", "apart 2", "together 1"]


def test_nagle_puts_small_packets_together(built: Path) -> None:
    records = {
        how: int(run(built, 2, "netio", how, "mpb", "64", "64000").split(" records")[0].split()[-1])
        for how in ("stack", "bypass")
    }
    assert records["bypass"] > 1250
    assert records["stack"] < 60
