"""The few words of gdb's remote protocol that watching memory needs (GDB manual, appendix E)."""

from __future__ import annotations

import re
import socket
from types import TracebackType

from rockcreek.errors import InternalError

# EIP is register 8 of gdb's i386, four bytes each.
_EIP = 8 * 8
_THREAD = re.compile(r"thread:(?:p[0-9a-f]+\.)?([0-9a-f]+);")
_WATCH = re.compile(r"watch:([0-9a-f]+);")
_ANSWER_S = 3600.0


class GdbClient:
    """A connection to `rck run --gdb`."""

    def __init__(self, host: str, port: int) -> None:
        self._socket = socket.create_connection((host, port), _ANSWER_S)
        self._read = b""

    def __enter__(self) -> GdbClient:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._socket.close()

    def watch_writes(self, address: int, length: int) -> None:
        """Stop behind each write of these bytes, on every core."""
        self._ask(f"Z2,{address:x},{length:x}", "OK")

    def go_on(self) -> tuple[int, int] | None:
        """Run to the next stop: the core and the address written; None when the run has ended."""
        while True:
            self._send("vCont;c")
            answer = self._receive()
            if answer[:1] in ("W", "X", ""):
                return None
            thread, watch = _THREAD.search(answer), _WATCH.search(answer)
            if thread is not None and watch is not None:
                return int(thread[1], 16) - 1, int(watch[1], 16)
            if thread is None or not answer.startswith("T05"):
                return None

    def time_ps(self) -> int:
        """The simulated time."""
        self._send("qRcmd," + b"time".hex())
        text = ""
        while (answer := self._receive()) != "OK":
            text += bytes.fromhex(answer.removeprefix("O")).decode()
        return int(text.split()[0])

    def eip(self, core: int) -> int:
        """The EIP of a core."""
        self._ask(f"Hg{core + 1:x}", "OK")
        self._send("g")
        registers = self._receive()
        return int.from_bytes(bytes.fromhex(registers[_EIP : _EIP + 8]), "little")

    def memory(self, core: int, address: int, length: int) -> bytes:
        """Bytes as this core sees them; fewer where no memory is mapped."""
        self._ask(f"Hg{core + 1:x}", "OK")
        self._send(f"m{address:x},{length:x}")
        answer = self._receive()
        return b"" if answer.startswith("E") else bytes.fromhex(answer)

    def _ask(self, text: str, expected: str) -> None:
        self._send(text)
        if (answer := self._receive()) != expected:
            raise InternalError(f"gdb's protocol: {text!r} was answered by {answer!r}")

    def _send(self, text: str) -> None:
        self._socket.sendall(f"${text}#{sum(text.encode()) & 0xFF:02x}".encode())

    def _receive(self) -> str:
        """The next packet, acknowledged; empty if the other side has gone."""
        while (found := re.search(rb"\$([^#]*)#..", self._read)) is None:
            try:
                more = self._socket.recv(1 << 16)
            except ConnectionError:
                more = b""
            if not more:
                return ""
            self._read += more
        self._read = self._read[found.end() :]
        try:
            self._socket.sendall(b"+")
        except ConnectionError:
            return found[1].decode()
        return _expanded(found[1].decode())


def _expanded(text: str) -> str:
    """A packet without run lengths: `0*"` is 0 and so many more."""
    return re.sub(r"(.)\*(.)", lambda found: found[1] * (1 + ord(found[2]) - 29), text)
