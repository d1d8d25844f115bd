"""Clients of `--socket` and `--gdb` that are in the way: no run, limit or end waits for them."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

import rockcreek
from guest_programs import RCK, compile_program
from rockcreek.socket_server import peer, server
from rockcreek.socket_server.server import SocketServer

MS = 10**9
FOR_EVER = "int main(void){for(volatile int n=0;;n++);}"
TIME = b'{"do": "time"}\n'
READ_ALL = b'{"do": "read", "address": 2181038080, "length": 1048576}\n'


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is overdue is so sooner."""
    monkeypatch.setattr(peer, "OVERDUE_S", 0.3)
    monkeypatch.setattr(server, "OVERDUE_S", 0.3)


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[SocketServer]:
    found = SocketServer(tmp_path / "s", rockcreek.Chip("scc"), MS)
    yield found
    found.close()


def connect(outside: SocketServer) -> socket.socket:
    client = socket.socket(socket.AF_UNIX)
    client.connect(str(outside.path))
    client.settimeout(10)
    return client


def turns(outside: SocketServer, seconds: float = 0.0) -> None:
    """Some turns, none of which takes long."""
    end = time.monotonic() + seconds
    for _ in range(3):
        outside.let_in(lambda: False)
    while time.monotonic() < end:
        begin = time.monotonic()
        outside.let_in(lambda: False)
        assert time.monotonic() - begin < 1
        time.sleep(0.01)


def turns_until_answered(outside: SocketServer, client: socket.socket, count: int) -> None:
    """As many turns as a busy host needs until the client has so many answers."""
    end, client_has = time.monotonic() + 10, b""
    while client_has.count(b"\n") < count and time.monotonic() < end:
        turns(outside)
        if select.select([client], [], [], 0.01)[0]:
            client_has = client.recv(1 << 16, socket.MSG_PEEK)


def answers(client: socket.socket, count: int) -> list[Any]:
    lines = client.makefile("rb")
    return [json.loads(lines.readline()) for _ in range(count)]


def test_two_clients_at_once(outside: SocketServer) -> None:
    with connect(outside) as first, connect(outside) as second:
        first.sendall(TIME)
        second.sendall(TIME)
        turns(outside)
        assert answers(first, 1) == answers(second, 1)
        # One that closes while the other one asks.
        first.sendall(TIME)
        first.close()
        second.sendall(TIME)
        turns(outside)
        assert answers(second, 1)[0]["instructions"] == 0


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"[" * 990, "texts and numbers only"),
        (b"[" * 100_000, "texts and numbers only"),
        (b'{"id":' + b"[" * 400 + b"]" * 400 + b"}", "texts and numbers only"),
        (b'{"do": ["time"]}', "texts and numbers only"),
        (b'{"do": {}}', "texts and numbers only"),
        (b'{"do": "' + b"x" * 100_000 + b'"}', "there is no request"),
        (b'{"do": "time", "id": "' + b"x" * 300 + b'"}', "id: longer"),
        (b'{"do": "time", "id": ' + b"9" * 5000 + b"}", "digits"),
        (b'{"do": "until", "at_ps": 1e99}', "at_ps must be a number"),
        (b'{"do": null}', "there is no request"),
        (b"\xff\xfe{}", ""),
        (b"\x00", ""),
    ],
)
def test_lines_that_no_request_looks_like(outside: SocketServer, line: bytes, says: str) -> None:
    with connect(outside) as client:
        client.sendall(line + b"\n" + TIME)
        turns_until_answered(outside, client, 2)
        wrong, right = answers(client, 2)
    assert says in wrong["error"] and len(wrong["error"]) < 400
    assert right["instructions"] == 0


def test_more_connections_than_anybody_needs(outside: SocketServer) -> None:
    """As many as this process may open: those beyond a few are sent away with a word."""
    with ExitStack() as stack:
        clients = []
        for _ in range(400):
            clients.append(stack.enter_context(connect(outside)))
            turns(outside)
        told = [json.loads(one.makefile("rb").readline()) for one in clients[16:]]
        assert all("16 clients already" in one["error"] for one in told)
        clients[3].sendall(TIME)
        turns(outside)
        assert answers(clients[3], 1)[0]["instructions"] == 0
        clients[0].close()
        turns(outside)
        with connect(outside) as late:
            late.sendall(TIME)
            turns(outside)
            assert answers(late, 1)[0]["instructions"] == 0


def test_no_descriptor_is_left(outside: SocketServer, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def accept(self) -> None:
            raise OSError(24, "Too many open files")

    with connect(outside):
        monkeypatch.setattr(outside, "_listener", Full())
        outside._accept()
        assert not outside.has_clients
        monkeypatch.undo()


def test_a_client_that_never_reads(outside: SocketServer) -> None:
    with connect(outside) as deaf, connect(outside) as other:
        deaf.setblocking(False)
        sent = 0
        for _ in range(50):
            try:
                sent += deaf.send(READ_ALL)
            except BlockingIOError:
                break
            turns(outside)
        other.sendall(TIME)
        turns(outside)
        assert answers(other, 1)[0]["instructions"] == 0
        held = max(len(one._unread) for one in outside._peers)
        assert held < 8 << 20, "what it does not read is bounded"
        turns(outside, 0.6)
        assert any("has read nothing" in told for told in outside.notices())
        assert len(outside._peers) == 1


def test_a_holder_that_does_not_read_loses_the_chip(outside: SocketServer) -> None:
    with connect(outside) as deaf:
        deaf.sendall(b'{"do": "hold"}\n' + READ_ALL * 4)
        # Each of these ends by itself.
        for _ in range(5):
            outside.let_in(lambda: False)
    assert any("has read nothing" in told for told in outside.notices())


@pytest.mark.parametrize("begun", [b"", b'{"do": "ti'])
def test_half_a_request_then_silence(outside: SocketServer, begun: bytes) -> None:
    with connect(outside) as client:
        client.sendall(begun)
        turns(outside, 0.6)
        assert not outside.has_clients, "a chip at rest does not wait for it"
        told = outside.notices()
        assert len(told) == bool(begun)
        assert all("has not ended its request" in one for one in told)


def test_a_request_without_end(outside: SocketServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer, "OVERDUE_S", 60)
    with connect(outside) as client:
        client.setblocking(False)
        for _ in range(1000):
            try:
                client.send(b"x" * 65536)
            except OSError:
                break
            turns(outside)
        assert any("longer than" in told for told in outside.notices())


def test_a_thousand_requests_are_not_one_turn(outside: SocketServer) -> None:
    with connect(outside) as busy:
        busy.setblocking(False)
        begin = time.monotonic()
        for _ in range(20):
            with suppress(BlockingIOError):
                busy.send(READ_ALL * 500)
            outside._hear(0)
        assert time.monotonic() - begin < 20 * 0.2 + 1


def test_the_end_waits_for_nobody_who_is_silent(outside: SocketServer) -> None:
    with connect(outside) as idle, connect(outside) as half:
        idle.sendall(TIME)
        half.sendall(b"{")
        turns(outside)
        begin = time.monotonic()
        outside.say_goodbye(lambda: False)
        assert time.monotonic() - begin < 5
        assert answers(idle, 2)[1]["event"] == "ended"


def test_a_socket_of_a_run_that_was_killed(tmp_path: Path) -> None:
    path, chip = tmp_path / "s", rockcreek.Chip("scc")
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(path))
    found = SocketServer(path, chip, MS)
    assert ["replaced" in told for told in found.notices()] == [True]
    # One that somebody listens at stays, and so does a file.
    with pytest.raises(rockcreek.UsageError, match="--socket") as refused:
        SocketServer(path, chip, MS)
    assert "another run" in str(refused.value.hint)
    with connect(found) as client:
        client.sendall(TIME)
        turns(found)
        assert answers(client, 1)
    found.close()
    assert not path.exists()
    path.write_text("mine")
    with pytest.raises(rockcreek.UsageError):
        SocketServer(path, chip, MS)
    assert path.read_text() == "mine"


@contextmanager
def running(*options: str) -> Iterator[subprocess.Popen[str]]:
    """A program that never ends by itself."""
    folder = Path(options[-1])
    source = folder / "for_ever.c"
    source.write_text(FOR_EVER)
    process = subprocess.Popen(
        [*RCK, "run", "-q", *options[:-1], str(compile_program(source))],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def listens_at(process: subprocess.Popen[str]) -> tuple[str, int]:
    assert process.stderr is not None
    host, port = process.stderr.readline().split("target remote ")[1].rstrip("'\n").split(":")
    return host, int(port)


def gdb_packet(data: str) -> bytes:
    return f"${data}#{sum(data.encode()) % 256:02x}".encode()


def never_reads(client: socket.socket) -> None:
    """Asks and asks for memory, until nothing more is taken."""
    client.settimeout(1)
    while True:
        try:
            client.sendall(gdb_packet("m8048000,400") * 100)
        except OSError:
            return


@pytest.mark.parametrize("end", ["--timeout", "SIGINT"])
def test_gdb_never_reads_and_the_run_ends(tmp_path: Path, end: str) -> None:
    limit = ["--timeout", "3s"] if end == "--timeout" else []
    with running("--gdb", "127.0.0.1:0", *limit, str(tmp_path)) as process:
        with socket.create_connection(listens_at(process)) as client:
            begin = time.monotonic()
            deaf = threading.Thread(target=never_reads, args=(client,), daemon=True)
            deaf.start()
            if end == "SIGINT":
                deaf.join(4)
                process.send_signal(signal.SIGINT)
            code = process.wait(timeout=30)
        assert code == (75 if limit else 130)
        assert time.monotonic() - begin < 20


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        (b"", "has sent no whole packet"),
        (b"$qSuppor", "has sent no whole packet"),
        (b"$" + b"x" * 100_000, "dropped"),
        (gdb_packet("?") + b"$m80", "has sent no whole packet"),
    ],
)
def test_who_is_not_gdb_does_not_stop_a_run(tmp_path: Path, sent: bytes, says: str) -> None:
    with running("--gdb", "127.0.0.1:0", "--gdb-nowait", str(tmp_path)) as process:
        with socket.create_connection(listens_at(process)) as client:
            client.sendall(sent)
            assert process.stderr is not None
            told = process.stderr.readline()
        assert says in told and "the run goes on" in told


def test_a_second_gdb_is_sent_away(tmp_path: Path) -> None:
    with running("--gdb", "127.0.0.1:0", str(tmp_path)) as process:
        address = listens_at(process)
        with socket.create_connection(address) as gdb:
            gdb.sendall(gdb_packet("?"))
            gdb.settimeout(20)
            assert gdb.recv(64)
            for _ in range(100):
                with socket.create_connection(address) as other:
                    other.settimeout(20)
                    assert other.recv(1) == b""
            gdb.sendall(gdb_packet("g"))
            assert gdb.recv(4096)


def test_a_socket_client_cannot_keep_a_run(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with running("--socket", str(path), "--timeout", "4s", str(tmp_path)) as process:
        while not path.exists():
            assert process.poll() is None
            time.sleep(0.02)
        with socket.socket(socket.AF_UNIX) as deaf, socket.socket(socket.AF_UNIX) as nested:
            for client in (deaf, nested):
                client.connect(str(path))
            deaf.setblocking(False)
            deaf.send(b'{"do": "hold"}\n' + READ_ALL * 20)
            nested.sendall(b"[" * 990 + b"\n")
            assert process.wait(timeout=30) == 75
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()
    assert not os.path.lexists(path)
