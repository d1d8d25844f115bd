"""Asks a running chip, from another process: `rockcreek.attach`.

>>> chip = rockcreek.attach("chip.sock")              # doctest: +SKIP
>>> chip.read(0x82000000, 16), chip.time_ps           # doctest: +SKIP
>>> chip.until(5 * 10**9); chip.write(0x82000000, b"now")  # doctest: +SKIP
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import cast

from rockcreek.errors import NotFoundError, UsageError
from rockcreek.formats.engine import CoreState
from rockcreek.socket_server.peer import LONGEST_LINE
from rockcreek.socket_server.requests import Answer

_PATIENCE_S = 0.02


class Attached:
    """A connection to the socket of `rck run --socket`. Calls return when the chip has answered."""

    def __init__(self, path: str | os.PathLike[str], *, wait_s: float = 0.0) -> None:
        self.time_ps = 0  # of the last answer
        self.ended = False  # whether the run has ended; memory can be read until this is closed
        self._asked = 0
        self._socket = socket.socket(socket.AF_UNIX)
        until = time.monotonic() + wait_s
        while True:
            try:
                self._socket.connect(os.fspath(path))
                break
            except OSError as error:
                if time.monotonic() >= until:
                    name = os.fspath(path)
                    hint = "`rck run --socket PATH` makes it, while it runs"
                    raise NotFoundError(
                        f"{name}: {error.strerror}", path=name, hint=hint
                    ) from error
                time.sleep(_PATIENCE_S)
        self._lines = self._socket.makefile("rb")

    def ask(self, do: str, **request: int | str) -> Answer:
        """One request as it is (docs/guide/socket.md), and its answer."""
        self._asked += 1
        line = json.dumps({"id": self._asked, "do": do, **request}).encode() + b"\n"
        if len(line) > LONGEST_LINE:
            raise UsageError(
                f"{do}: a request has at most {LONGEST_LINE:,} bytes, and this one {len(line):,}",
                hint="each byte of data, image or modules takes two: boot with larger files",
            )
        try:
            self._socket.sendall(line)
            found = self._answer()
        except (BrokenPipeError, ConnectionResetError, EOFError):
            self.ended = True
            raise UsageError("the run is over", hint="attach while it runs") from None
        if "error" in found:
            raise UsageError(f"{do}: {found['error']}", hint="see docs/guide/socket.md")
        return found

    def _answer(self) -> Answer:
        while True:
            line = self._lines.readline()
            if not line:
                raise EOFError
            found = json.loads(line)
            self.time_ps = found["time_ps"]
            if found.get("event") == "ended":
                self.ended = True
            elif found["id"] == self._asked:
                return cast("Answer", found)

    def read(self, address: int, length: int, *, core: int = 0, linear: bool = False) -> bytes:
        """Memory behind a core's LUT, or as the core's paging shows it."""
        space = "linear" if linear else "physical"
        found = self.ask("read", address=address, length=length, core=core, space=space)
        return bytes.fromhex(found["data"])

    def write(self, address: int, data: bytes, *, core: int = 0, linear: bool = False) -> None:
        """Change memory; caches that have the line keep what they have."""
        space = "linear" if linear else "physical"
        self.ask("write", address=address, data=data.hex(), core=core, space=space)

    def registers(self, core: int) -> CoreState:
        """Registers and state of a core."""
        return self.ask("registers", core=core)["registers"]

    def set_register(self, core: int, name: str, value: int) -> None:
        """Change a general register, eip or eflags."""
        self.ask("set_register", core=core, name=name, value=value)

    def mpb(self, tile: int) -> bytes:
        """The message-passing buffer of a tile."""
        return bytes.fromhex(self.ask("mpb", tile=tile)["data"])

    def crb(self, tile: int, offset: int) -> int:
        """A configuration register of a tile."""
        return int(self.ask("crb", tile=tile, offset=offset)["value"])

    def stop(self, core: int) -> None:
        """Put a core into reset."""
        self.ask("stop", core=core)

    def start(
        self,
        core: int,
        image: str | os.PathLike[str] | None = None,
        *,
        line: str = "",
        modules: Mapping[str, str | os.PathLike[str]] | None = None,
    ) -> None:
        """Start a core anew: with a multiboot image, its command line and modules, by their names,
        or at its reset vector. Who calls reads the files."""
        given: dict[str, str] = {} if image is None else {"image": _hex_of(image)}
        for name, path in (modules or {}).items():
            given["modules"] = f"{given.get('modules', '')} {name}={_hex_of(path)}"
        self.ask("start", core=core, line=line, **given)

    def hold(self) -> int:
        """Stop the chip where it is, in ps, until `go` or `until`."""
        return int(self.ask("hold")["time_ps"])

    def go(self) -> None:
        """Let it run."""
        self.ask("go")

    def until(self, at_ps: int) -> bool:
        """Let it run to an instant, and hold it there; False if the run ended before."""
        self._asked += 1
        request = {"id": self._asked, "do": "until", "at_ps": at_ps}
        self._socket.sendall(json.dumps(request).encode() + b"\n")
        while not self.ended:
            line = self._lines.readline()
            if not line:
                self.ended = True
                break
            found = json.loads(line)
            self.time_ps = found["time_ps"]
            self.ended = found.get("event") == "ended"
            if "error" in found:
                raise UsageError(f"until: {found['error']}", hint="name an instant to come")
            if found.get("id") == self._asked:
                return True
        return False

    def close(self) -> None:
        """The run goes on without this one."""
        self._lines.close()
        self._socket.close()

    def __enter__(self) -> Attached:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


attach = Attached


def _hex_of(path: str | os.PathLike[str]) -> str:
    try:
        return Path(path).read_bytes().hex()
    except OSError as error:
        name = os.fspath(path)
        raise NotFoundError(
            f"{name}: {error.strerror}", path=name, hint="name an image for the core"
        ) from error
