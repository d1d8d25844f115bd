"""Ports of the host that lead to a core: a client, a kernel that refuses it, and the record."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rockcreek.booting.boot_job import BootJob, execute
from rockcreek.errors import InputError, UsageError
from rockcreek.forwarding import packet_file
from rockcreek.forwarding.packet_file import INBOUND, OUTBOUND
from rockcreek.forwarding.ports import Port, choose

Kernel = Callable[[str], Path]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def knock(port: int, heard: list[str]) -> None:
    """A client whose connection is refused behind the port: it is reset."""
    end = time.monotonic() + 60
    while not heard and time.monotonic() < end:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
                heard.append(repr(client.recv(1)))
        except ConnectionResetError:
            heard.append("reset")
        except ConnectionRefusedError:
            time.sleep(0.05)  # nobody listens yet


def run(kernel: Path, **more: Any) -> Any:
    return execute(BootJob([str(kernel)], cores="0", timeout_s=60, **more))


@pytest.fixture(scope="module")
def recorded(kernel: Kernel, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any, str]:
    """The record of a client's call, the result of the run, and what the client saw."""
    path = tmp_path_factory.mktemp("forward") / "packets.pcapng"
    port, heard = free_port(), list[str]()
    forward = [Port("127.0.0.1", port, 0, 80)]
    client = threading.Thread(target=knock, args=(port, heard))
    client.start()
    said: list[str] = []
    result = run(kernel("packets"), forward=forward, packets=path, say=said.append)
    client.join()
    assert said == ["rck: 2 packets of cores were refused: not theirs, or not to rck"]
    return path, result, heard[0]


def test_a_client_reaches_the_core_and_is_refused(recorded: tuple[Path, Any, str]) -> None:
    _, result, heard = recorded
    assert result.stdout == b"ready\nthe host asks\nrefused\n"
    assert heard == "reset"


def test_the_record_has_what_passed_and_not_what_was_dropped(
    recorded: tuple[Path, Any, str],
) -> None:
    packets = packet_file.read(recorded[0])
    assert [packet.direction for packet in packets] == [INBOUND, OUTBOUND]
    syn, reset = (packet.data for packet in packets)
    assert (syn[33], reset[33]) == (0x02, 0x14)
    assert syn[12:20] == bytes([192, 168, 1, 254, 192, 168, 1, 1])
    assert reset[12:20] == syn[16:20] + syn[12:16]


def test_a_record_replays_to_the_same_bits(kernel: Kernel, recorded: tuple[Path, Any, str]) -> None:
    path, first, _ = recorded
    again = run(kernel("packets"), replay_packets=path, until_ps=first.time_ps)
    assert (again.state_hash, again.stdout) == (first.state_hash, first.stdout)


def test_a_record_of_another_run_is_noticed(
    kernel: Kernel, recorded: tuple[Path, Any, str], tmp_path: Path
) -> None:
    packets = packet_file.read(recorded[0])
    other = packets[1].data[:-1] + b"\1"
    file = tmp_path / "other.pcapng"
    changed = [packets[0], packet_file.Packet(packets[1].time_ps, other, OUTBOUND)]
    file.write_bytes(packet_file.header() + b"".join(map(packet_file.block_of, changed)))
    result = run(kernel("packets"), replay_packets=file)
    assert "this is not the recorded run" in result.errors[-1].message


@pytest.mark.parametrize("cut", [3, 30, 61, 100, 140])
def test_a_damaged_record_is_refused(
    kernel: Kernel, recorded: tuple[Path, Any, str], tmp_path: Path, cut: int
) -> None:
    file = tmp_path / "cut.pcapng"
    file.write_bytes(recorded[0].read_bytes()[:cut])
    with pytest.raises(InputError, match=r"cut\.pcapng"):
        run(kernel("packets"), replay_packets=file)


def test_a_long_record_is_read_in_a_moment(tmp_path: Path) -> None:
    file = tmp_path / "long.pcapng"
    blocks = (
        packet_file.block_of(packet_file.Packet(n, bytes(40), INBOUND)) for n in range(50_000)
    )
    file.write_bytes(packet_file.header() + b"".join(blocks))
    begin = time.process_time()
    assert [packet.time_ps for packet in packet_file.read(file)] == list(range(50_000))
    assert time.process_time() - begin < 5


def test_a_core_without_an_address_is_refused() -> None:
    assert choose(["80=252:80"], [252])[0].core == 252
    with pytest.raises(UsageError, match="core 253 has no address"):
        choose(["80=253:80"], [253])


def test_a_port_that_is_taken_is_named(kernel: Kernel) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(UsageError, match=f"--forward 127.0.0.1:{port}=rck00:80: Address"):
            run(kernel("packets"), forward=[Port("127.0.0.1", port, 0, 80)])
