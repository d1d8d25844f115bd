"""The session of test_gdb.py without gdb: break in RCCE_send on core 5, look, step, continue."""

from __future__ import annotations

import socket

from gdb_server import SEND, listening
from rockcreek.software.image import load_program

CORE_5 = "p1.6"
STACK_POINTER, PC = (slice(8 * n, 8 * n + 8) for n in (4, 8))


class Client:
    """Sends packets and reads their answers."""

    def __init__(self, address: str) -> None:
        host, port = address.split(":")
        self._socket = socket.create_connection((host, int(port)), timeout=120)
        self._in = self._socket.makefile("rb")

    def ask(self, packet: str) -> str:
        data = packet.encode()
        self._socket.sendall(b"$%s#%02x" % (data, sum(data) % 256))
        while self._in.read(1) != b"$":
            pass
        answer = bytearray()
        while (byte := self._in.read(1)) != b"#":
            # `*` repeats what stood before it.
            answer += answer[-1:] * (self._in.read(1)[0] - 29) if byte == b"*" else byte
        self._in.read(2)
        self._socket.sendall(b"+")
        return answer.decode()

    def register(self, where: slice) -> int:
        return int.from_bytes(bytes.fromhex(self.ask("g")[where]), "little")

    def word(self, address: int) -> int:
        return int.from_bytes(bytes.fromhex(self.ask(f"m{address:x},4")), "little")


def test_break_in_rcce_send(guest) -> None:
    program = guest(SEND, ["-g", "-O1", "-lrcce"])
    symbols = load_program(program).symbols
    with listening("run", "-q", "-n", 6, "--gdb", 0, program) as (run, address):
        gdb = Client(address)
        assert "vContSupported+" in gdb.ask("qSupported:multiprocess+;swbreak+;hwbreak+")
        assert gdb.ask(f"Z0,{symbols['RCCE_send']:x},1") == "OK"
        stop = gdb.ask("vCont;c:p1.-1")
        assert stop.startswith("T05") and "thread:p01.06" in stop and "swbreak" in stop
        assert bytes.fromhex(gdb.ask(f"qThreadExtraInfo,{CORE_5}")) == b"Core 5 (tile 2,0)"
        gdb.ask(f"Hg{CORE_5}")
        assert gdb.register(PC) == symbols["RCCE_send"]
        assert gdb.word(symbols["payload"]) == 4711
        # RCCE_send(&payload, sizeof payload, 2)
        stack = gdb.register(STACK_POINTER)
        assert [gdb.word(stack + 4 * n) for n in (1, 2, 3)] == [symbols["payload"], 4, 2]
        assert gdb.ask(f"vCont;s:{CORE_5};c:p1.-1").startswith("T05")
        assert 0 < gdb.register(PC) - symbols["RCCE_send"] < 16
        # What gdb writes is what core 2 receives.
        assert gdb.ask(f"M{symbols['payload']:x},4:39300000") == "OK"
        assert gdb.ask(f"z0,{symbols['RCCE_send']:x},1") == "OK"
        assert gdb.ask("vCont;c:p1.-1").startswith("W00")
        assert run.wait(timeout=60) == 0
        assert run.stdout is not None and "got 12345" in run.stdout.read()
