"""Where the serial ports of booted cores go: a file each, one console, or tagged lines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from rockcreek.consoles.console import PORT_STDERR, PORT_STDOUT, PORTS, Console, Sink
from rockcreek.description import Description
from rockcreek.errors import OutputError
from rockcreek.outputs import make_folder, refuse_old

_PORT_NAMES = {PORT_STDOUT: "com1", PORT_STDERR: "com2"}
_Chunk = tuple[int, int, int, bytes]


class PortFiles:
    """Each port that sends anything has a file: `core07-com1.log`."""

    def __init__(self, folder: str, description: Description, *, force: bool) -> None:
        self._folder = make_folder(folder)
        self._description = description
        self._files: dict[tuple[int, int], BinaryIO] = {}
        refuse_old(sorted(self._folder.glob("core*-com[12].log")), force=force)

    def write(self, core: int, port: int, data: bytes) -> None:
        """Append to the port's file."""
        path = self._folder / f"core{self._description.core_label(core)}-{_PORT_NAMES[port]}.log"
        try:
            if (core, port) not in self._files:
                self._files[core, port] = path.open("wb", buffering=0)
            self._files[core, port].write(data)
        except OSError as error:
            raise OutputError(f"{path}: {error.strerror}", path=str(path)) from error

    def close(self) -> None:
        for file in self._files.values():
            file.close()


class BootConsole(Console):
    """Files get everything; stdout gets one core's bytes, or without files all cores' lines.

    With `notes`, COM2 is for whoever reads these.
    """

    def __init__(
        self,
        stdout: Sink,
        stderr: Sink,
        *,
        files: PortFiles | None,
        only: int | None,
        lines: Console | None,
        notes: Console | None = None,
    ) -> None:
        super().__init__(stdout, stderr, label=lambda _core, _time_ps: "", raw=PORTS)
        self._files = files
        self._only = only
        self._all_lines = lines
        self._notes = notes

    def feed(self, chunks: list[_Chunk]) -> None:
        if self._notes is not None:
            self._notes.feed([chunk for chunk in chunks if chunk[2] == PORT_STDERR])
            chunks = [chunk for chunk in chunks if chunk[2] != PORT_STDERR]
        for _time_ps, core, port, data in _of_serial_ports(chunks):
            if self._files is not None:
                self._files.write(core, port, data)
        if self._all_lines is not None:
            self._all_lines.feed(chunks)
        if self._only is not None:
            super().feed([chunk for chunk in chunks if chunk[1] == self._only])

    @property
    def holds_text(self) -> bool:
        return self._all_lines is not None and self._all_lines.holds_text

    def pass_time(self, now_ps: int) -> None:
        if self._all_lines is not None:
            self._all_lines.pass_time(now_ps)

    def finish(self) -> None:
        super().finish()
        if self._all_lines is not None:
            self._all_lines.finish()
        if self._files is not None:
            self._files.close()


def _of_serial_ports(chunks: Iterable[_Chunk]) -> Iterable[_Chunk]:
    return (chunk for chunk in chunks if chunk[2] in _PORT_NAMES)
