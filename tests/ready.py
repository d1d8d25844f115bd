"""`rck` without its start: a process that has loaded the command forks for each call.

A start is a third of a second of the host's time, nearly all of it imports, and the tests make
thousands. Each call has arguments, folder, environment and streams of its own, ends as a process
does, and finds the modules of rck as an import leaves them, and the SCC's description read. Tests
of the start itself, of signals and of limits begin `python -m rockcreek`.
"""

from __future__ import annotations

import atexit
import functools
import gc
import json
import os
import runpy
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

_LENGTH = struct.Struct("<I")
_STATUS = struct.Struct("<i")
# What most calls load: `rck run`, `rck boot` and the compilers.
_MODULES = ("run", "boot", "toolchain")


def rck(
    *words: object,
    input: str | None = None,
    cwd: Path | str | None = None,
    env: Mapping[str, str] | None = None,
    check: bool = False,
    merged: bool = False,
) -> subprocess.CompletedProcess[str]:
    """What `rck` with these words has printed, and its exit code; without input as with an empty
    one. `merged`: standard error goes where standard output goes."""
    arguments = list(map(str, words))
    there = {"arguments": arguments, "cwd": str(cwd or os.getcwd()), "env": dict(env or os.environ)}
    code, out, err = _server().call(
        json.dumps(there).encode(), (input or "").encode(), merged=merged
    )
    assert not check or code == 0, f"rck {' '.join(arguments)}: exit code {code}\n{err}"
    return subprocess.CompletedProcess(["rck", *arguments], code, out, err)


class _Server:
    """The process that forks, from its caller's side."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair()
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
        )
        theirs.close()
        atexit.register(self.end)

    def call(self, request: bytes, given: bytes, *, merged: bool) -> tuple[int, str, str]:
        ends = [os.pipe() for _ in range(2 if merged else 3)]
        ours = [ends[0][1], ends[1][0], ends[-1][0]]
        theirs = [ends[0][0], ends[1][1], ends[-1][1]]
        socket.send_fds(self._socket, [_LENGTH.pack(len(request))], theirs)
        self._socket.sendall(request)
        for end in {*theirs}:
            os.close(end)
        found: dict[int, str] = {}
        threads = [
            threading.Thread(target=lambda end=end: found.update({end: _all_of(end)}))
            for end in {*ours[1:]}
        ]
        for thread in threads:
            thread.start()
        with os.fdopen(ours[0], "wb", buffering=0) as stdin:
            _give(stdin.fileno(), given)
        for thread in threads:
            thread.join()
        told = self._socket.recv(_STATUS.size)
        assert told, f"the process that forks has ended: {self._process.wait()}"
        code = os.waitstatus_to_exitcode(*_STATUS.unpack(told))
        return code, found[ours[1]], "" if merged else found[ours[2]]

    def end(self) -> None:
        self._socket.close()
        self._process.wait()


@functools.cache
def _server() -> _Server:
    return _Server()


def _all_of(end: int) -> str:
    with os.fdopen(end, encoding="utf-8", errors="replace") as file:
        return file.read()


def _give(end: int, given: bytes) -> None:
    """Writes all that is read."""
    try:
        while given:
            given = given[os.write(end, given) :]
    except BrokenPipeError:
        return


def _serve(connection: socket.socket) -> bool:
    """Forks for each request; True in the child, which goes on as `rck`."""
    while True:
        head, ends, _, _ = socket.recv_fds(connection, _LENGTH.size, 3)
        if not head:
            return False
        (left,) = _LENGTH.unpack(head)
        request = bytearray()
        while len(request) < left:
            request += connection.recv(left - len(request))
        child = os.fork()
        if child == 0:
            connection.close()
            _become(json.loads(request), ends)
            return True
        for end in ends:
            os.close(end)
        connection.sendall(_STATUS.pack(os.waitpid(child, 0)[1]))


def _become(request: dict, ends: Sequence[int]) -> None:
    for number, end in enumerate(ends):
        os.dup2(end, number)
        os.close(end)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    # As with -m, modules are looked for in the current folder first.
    sys.path[0] = request["cwd"]
    sys.argv[1:] = request["arguments"]


def _main() -> None:
    with socket.socket(fileno=int(sys.argv[1])) as connection:
        import_module("rockcreek.cli.app")
        for module in _MODULES:
            import_module(f"rockcreek.cli.commands.{module}")
        import_module("rockcreek.running.run_job")
        import_module("rockcreek.description").load("scc")
        gc.freeze()
        is_rck = _serve(connection)
    if is_rck:
        runpy.run_module("rockcreek", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _main()
