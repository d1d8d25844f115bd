"""Guest output: from serial port bytes to lines on stdout and stderr.

With several cores only complete lines are written, in the order of the simulated instant at
which each was finished, so that two runs write the same bytes. The bytes of `raw` ports, such as a
single core's, are passed on as they come, but for those that would come within another core's
line. A core that waits for input has its unfinished line (a prompt) shown.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial

from rockcreek.consoles.one_stream import OneStream
from rockcreek.errors import OutputError

# COM1 carries the guest's stdout, COM2 its stderr and the kernel's messages.
PORT_STDOUT = 0x3F8
PORT_STDERR = 0x2F8
PORTS = PORT_STDOUT, PORT_STDERR
# A line that is longer is written as several: its end may never come.
LONGEST_LINE = 1 << 20


class Sink:
    """A stream of the host: a file descriptor, or memory for the Python API."""

    def __init__(self, name: str, fd: int | None = None) -> None:
        self.name = name
        self.captured = bytearray()
        self._fd = fd

    def write(self, data: bytes) -> None:
        """Write all of it now; a full disk or a closed pipe is an OutputError."""
        if self._fd is None:
            self.captured += data
            return
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._fd, view) :]
        except OSError as error:
            raise OutputError(
                f"{self.name}: {error.strerror}",
                path=self.name,
                hint="the guest's output could not be written; the run was ended",
            ) from error


@dataclass
class _Line:
    pending: bytearray = field(default_factory=bytearray)
    last_ps: int = 0


class Console:
    """Merges the cores' serial ports into two host streams."""

    def __init__(
        self,
        stdout: Sink,
        stderr: Sink,
        *,
        label: Callable[[int, int], str],
        raw: Collection[int] = (),
    ) -> None:
        self._sinks = {PORT_STDOUT: stdout, PORT_STDERR: stderr}
        self._label = label
        self._raw = {port: OneStream(partial(self._emit, port)) for port in raw}
        self._lines: dict[tuple[int, int], _Line] = {}
        self._open: dict[int, int | None] = dict.fromkeys(self._sinks)
        self.bytes_written = dict.fromkeys(self._sinks, 0)

    def feed(self, chunks: list[tuple[int, int, int, bytes]]) -> None:
        """Take `(time_ps, core, port, bytes)` in order; write the lines that they finish."""
        for time_ps, core, port, data in chunks:
            if port not in self._sinks:
                continue
            if port in self._raw:
                self._raw[port].feed(time_ps, core, data)
            else:
                self._feed_lines(time_ps, core, port, data)

    @property
    def holds_text(self) -> bool:
        """Whether a core's text waits for the end of another core's line."""
        return any(stream.holds_text for stream in self._raw.values())

    def pass_time(self, now_ps: int) -> None:
        """No text from before this instant comes any more."""
        for stream in self._raw.values():
            stream.pass_time(now_ps)

    def _feed_lines(self, time_ps: int, core: int, port: int, data: bytes) -> None:
        line = self._lines.setdefault((core, port), _Line())
        line.last_ps = time_ps
        *finished, rest = data.split(b"\n")
        for part in finished:
            self._write(core, port, time_ps, bytes(line.pending) + part + b"\n")
            line.pending.clear()
        line.pending += rest
        while len(line.pending) > LONGEST_LINE:
            self._write(core, port, time_ps, bytes(line.pending[:LONGEST_LINE]) + b"\n")
            del line.pending[:LONGEST_LINE]

    def show_prompt(self, core: int) -> None:
        """Show what a core wrote before it began to wait for input."""
        for stream in self._raw.values():
            stream.flush()
        line = self._lines.get((core, PORT_STDOUT))
        if line is not None and line.pending:
            self._write(core, PORT_STDOUT, line.last_ps, bytes(line.pending))
            line.pending.clear()
            self._open[PORT_STDOUT] = core

    def finish(self) -> None:
        """Write the lines that were never finished, oldest first, each with a newline."""
        for stream in self._raw.values():
            stream.flush()
        waiting = [(line.last_ps, *key) for key, line in self._lines.items() if line.pending]
        for last_ps, core, port in sorted(waiting):
            line = self._lines[core, port]
            self._write(core, port, last_ps, bytes(line.pending) + b"\n")
            line.pending.clear()

    def _write(self, core: int, port: int, time_ps: int, text: bytes) -> None:
        before = b""
        opened_by = self._open[port]
        if opened_by is None:
            before = self._label(core, time_ps).encode()
        elif opened_by != core:
            before = b"\n" + self._label(core, time_ps).encode()
        self._open[port] = None
        self._emit(port, before + text)

    def _emit(self, port: int, data: bytes) -> None:
        self._sinks[port].write(data)
        self.bytes_written[port] += len(data)


def core_label(width: int) -> Callable[[int, int], str]:
    """Tags of `--tag core`: `[07] `."""
    return lambda core, _time_ps: f"[{core:0{width}d}] "


def time_label(width: int) -> Callable[[int, int], str]:
    """Tags of `--tag time`: core and simulated microseconds, `[07     12.345678 us] `."""
    return lambda core, time_ps: (
        f"[{core:0{width}d} {time_ps // 10**6:6d}.{time_ps % 10**6:06d} us] "
    )


def no_label(_core: int, _time_ps: int) -> str:
    """Tags of `--tag none`."""
    return ""
