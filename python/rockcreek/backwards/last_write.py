"""The last writes of some bytes in a run, found by running it again under watchpoints."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path, PurePath

from rockcreek.backwards.gdb_client import GdbClient
from rockcreek.errors import ReportedError
from rockcreek.software.image import Image

_ADDRESS = re.compile(r"target remote ([^:' ]+):(\d+)")
_ENDS_S = 60.0


@dataclass(frozen=True)
class Write:
    """A write that some of the bytes were part of."""

    time_ps: int
    core: int
    address: int
    eip: int  # behind the instruction
    value: str  # of the watched bytes afterwards, as this core sees them, in hexadecimal digits
    function: str | None
    file: str | None
    line: int | None

    @property
    def place(self) -> str:
        where = f"{self.function}" if self.function else f"0x{self.eip:08x}"
        if self.file is None or self.line is None:
            return where
        return f"{where} ({PurePath(self.file).name}:{self.line})"


@dataclass(frozen=True)
class Wanted:
    """Which bytes, whose writes, and up to when."""

    address: int
    length: int
    core: int | None
    before_ps: int | None
    most: int


def find(
    words: Sequence[str], folder: Path, images: Sequence[Image], wanted: Wanted
) -> tuple[list[Write], int]:
    """The last writes, the latest first, and how many there were; `words` is the run's command."""
    command = [sys.executable, "-m", "rockcreek", "run", "--gdb", "localhost:0", *words]
    process = subprocess.Popen(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True, errors="replace",
    )  # fmt: skip
    try:
        host, port = _listening(process)
        with GdbClient(host, port) as gdb:
            last, count = _watch(gdb, wanted)
        if wanted.before_ps is None:
            # To its end: the result is written then.
            with suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=_ENDS_S)
    finally:
        process.kill()
        process.communicate()
    return [_named(write, images) for write in reversed(last)], count


def _listening(process: subprocess.Popen[str]) -> tuple[str, int]:
    told = ""
    assert process.stderr is not None
    for line in process.stderr:
        if (found := _ADDRESS.search(line)) is not None:
            return found[1], int(found[2])
        told += line
    told = told.strip().removeprefix("rck: ")
    raise ReportedError(told or "the run failed", process.wait() or 1)


def _watch(gdb: GdbClient, wanted: Wanted) -> tuple[deque[Write], int]:
    gdb.watch_writes(wanted.address, wanted.length)
    last: deque[Write] = deque(maxlen=wanted.most)
    count = 0
    while (hit := gdb.go_on()) is not None:
        time_ps, (core, address) = gdb.time_ps(), hit
        if wanted.before_ps is not None and time_ps >= wanted.before_ps:
            break
        if wanted.core in (None, core):
            value = gdb.memory(core, wanted.address, wanted.length).hex()
            last.append(Write(time_ps, core, address, gdb.eip(core), value, None, None, None))
            count += 1
    return last, count


def _named(write: Write, images: Sequence[Image]) -> Write:
    """The write with function and line, of whichever image holds the instruction."""
    for image in images:
        if image.holds_code(write.eip - 1):
            function, file, line = image.lines.places([write.eip - 1])[0]
            values = {**asdict(write), "function": function, "file": file, "line": line}
            return Write(**values)
    return write
