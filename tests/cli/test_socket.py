"""`rck run --socket`: other processes read and write a running chip, at instants of its time."""

from __future__ import annotations

import json
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import rockcreek
from guest_programs import RCK
from rockcreek import resources
from rockcreek.errors import NotFoundError, UsageError
from rockcreek.socket_server.server import SocketServer

SHARED = 0x8200_0000
MS = 10**9


@contextmanager
def served(path: Path, chip: rockcreek.Chip) -> Iterator[rockcreek.Attached]:
    """A client of a chip that stands still, held by it."""
    outside = SocketServer(path, chip, MS, wait=True)
    done = threading.Event()
    thread = threading.Thread(target=outside.let_in, args=(done.is_set,))
    thread.start()
    try:
        with rockcreek.attach(path) as client:
            yield client
    finally:
        done.set()
        thread.join()
        outside.close()


@pytest.fixture
def chip() -> rockcreek.Chip:
    return rockcreek.Chip("scc")


def test_what_is_read_and_written(chip: rockcreek.Chip, tmp_path: Path) -> None:
    with served(tmp_path / "s", chip) as client:
        client.write(SHARED + 5, b"from outside", core=3)
        assert client.read(SHARED + 5, 12, core=47) == b"from outside"
        client.write(0x1000, b"mine", core=1)
        assert client.read(0x1000, 4, core=0) == bytes(4)
        client.ask("set_mpb", tile=7, offset=64, data="0a0b")
        assert client.mpb(7)[64:66] == b"\x0a\x0b" and len(client.mpb(7)) == 16384
        client.set_register(2, "ecx", 77)
        assert client.registers(2)["ecx"] == 77
        assert client.crb(5, 0x100) == chip.crb(5, 0x100)
        assert client.time_ps == 0
    assert chip.read_physical(0, SHARED + 5, 12) == b"from outside"
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"do": "fly"}, "there is no request 'fly'"),
        ({"do": "read", "address": 0, "length": 0}, "length must be"),
        ({"do": "read", "address": -1, "length": 4}, "address must be a number"),
        ({"do": "read", "address": 0, "length": 4, "space": "outer"}, "space must be"),
        ({"do": "read", "core": 48, "address": 0, "length": 4}, "there is no core 48"),
        ({"do": "read", "address": 1 << 40, "length": 4}, ""),
        ({"do": "write", "address": 0, "data": "xy"}, "hexadecimal"),
        ({"do": "set_register", "core": 0, "name": "rax", "value": 1}, "no register 'rax'"),
        ({"do": "mpb", "tile": 24}, "there is no tile 24"),
        ({"do": "set_mpb", "tile": 0, "offset": 16384, "data": "00"}, ""),
        ({"do": "until", "at_ps": 0}, "is not to come"),
    ],
)
def test_what_is_refused(
    chip: rockcreek.Chip, tmp_path: Path, request_: dict[str, Any], words: str
) -> None:
    with served(tmp_path / "s", chip) as client:
        with pytest.raises(UsageError) as raised:
            client.ask(request_.pop("do"), **request_)
        assert words in str(raised.value)
        assert client.ask("time")["instructions"] == 0


def test_lines_that_are_no_requests(chip: rockcreek.Chip, tmp_path: Path) -> None:
    with served(tmp_path / "s", chip), socket.socket(socket.AF_UNIX) as raw:
        raw.connect(str(tmp_path / "s"))
        raw.sendall(b'nonsense\n[1]\n\n{"do": "time"}\n')
        raw.settimeout(60)
        lines = raw.makefile("rb")
        answers = [json.loads(lines.readline()) for _ in range(3)]
        assert "error" in answers[0] and "JSON object" in answers[1]["error"]
        assert answers[2]["instructions"] == 0


def test_the_socket_is_this_users_alone(chip: rockcreek.Chip, tmp_path: Path) -> None:
    with served(tmp_path / "s", chip):
        assert (tmp_path / "s").stat().st_mode & 0o777 == 0o600
        with pytest.raises(UsageError, match="--socket"):
            SocketServer(tmp_path / "s", chip, MS)
    with pytest.raises(NotFoundError, match="No such file"):
        rockcreek.attach(tmp_path / "s")


def run(tmp_path: Path, *options: str) -> list[str]:
    command = [*RCK, "run", "-q", "--json", str(tmp_path / "r.json"), "--force", "-n", "2"]
    return [*map(str, command), *options, str(resources.example("ring"))]


def result(tmp_path: Path) -> dict[str, Any]:
    document = json.loads((tmp_path / "r.json").read_text())
    del document["host"]
    return document


def test_looking_changes_nothing_and_is_the_same_each_time(tmp_path: Path) -> None:
    subprocess.run(run(tmp_path), check=True, capture_output=True)
    alone = result(tmp_path)
    seen = []
    path = tmp_path / "s"
    options = ["--socket", str(path), "--socket-wait", "--socket-every", "40us"]
    process = subprocess.Popen(run(tmp_path, *options), stdout=subprocess.DEVNULL)
    with rockcreek.attach(path, wait_s=60) as client:
        for at_us in (50, 130, 131):
            assert client.until(at_us * 10**6) and client.time_ps == at_us * 10**6
            seen.append((client.registers(1)["eip"], client.read(SHARED, 4096, core=1)))
        assert not client.until(10**15) and client.ended
        # What is left can still be read.
        assert client.mpb(0) is not None
    assert process.wait(60) == 0
    assert result(tmp_path) == alone
    by_hand = rockcreek.load(resources.example("ring"), n=2)
    for at_us, (eip, memory) in zip((50, 130, 131), seen, strict=True):
        by_hand.run(until_ps=at_us * 10**6)
        assert by_hand.core(1)["eip"] == eip
        assert by_hand.read_physical(1, SHARED, 4096) == memory


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "s"
    options = ["--socket", str(path), "--socket-wait"]
    process = subprocess.Popen(run(tmp_path, *options), stdout=subprocess.DEVNULL)
    attach = [*map(str, RCK), "attach", "--wait", "60", str(path)]
    told = subprocess.run(
        [*attach, "read", f"address={SHARED:#x}", "length=4", "core=0"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert json.loads(told.stdout) == {"time_ps": 0, "data": "00000000"}
    subprocess.run([*attach, "go"], check=True, capture_output=True)
    assert process.wait(60) == 0
