"""`rck boot --view`: consoles side by side, on a pseudo-terminal that pyte reads."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyte

COLUMNS, LINES = 80, 12
NEXT, END = b"\x14", b"\x1d"
WAIT_S = 60


class Screen:
    """The user's terminal: what `rck` has drawn, and the keys."""

    def __init__(self, master: int) -> None:
        self._master = master
        self.screen = pyte.Screen(COLUMNS, LINES)
        self._stream = pyte.ByteStream(self.screen)

    def type(self, keys: bytes) -> None:
        os.write(self._master, keys)

    def wait_for(self, seen: Callable[[list[str], list[str]], bool]) -> None:
        """Read until the left and the right half show what is wanted."""
        end = time.monotonic() + WAIT_S
        while time.monotonic() < end:
            left, right = ([line[part] for line in self.screen.display] for part in HALVES)
            if seen(left, right):
                return
            if select.select([self._master], [], [], 1)[0]:
                self._stream.feed(os.read(self._master, 4096))
        raise AssertionError("\n".join(self.screen.display))


HALVES = slice(0, COLUMNS // 2), slice(COLUMNS // 2, COLUMNS)


@contextmanager
def rck_boot(*arguments: object) -> Iterator[tuple[subprocess.Popen[bytes], Screen]]:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("4H", LINES, COLUMNS, 0, 0))
    command = [sys.executable, "-m", "rockcreek", "boot", "-q", "--timeout", "60s"]
    # The size is the pseudo-terminal's own: whatever runs the tests may say another.
    env = {name: value for name, value in os.environ.items() if name not in ("LINES", "COLUMNS")}
    run = subprocess.Popen(
        [*command, *map(str, arguments)],
        stdin=slave, stdout=slave, stderr=slave, env={**env, "TERM": "xterm-256color"},
    )  # fmt: skip
    try:
        yield run, Screen(master)
    finally:
        run.kill()
        run.wait()
        os.close(slave)
        os.close(master)


def shows(half: list[str], text: str) -> bool:
    return any(text in line for line in half)


def test_consoles_side_by_side(kernel: Callable[[str], Path], tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    options = ["--cores", "4,5,6", "--view", "4,5", "--output-dir", logs]
    with rck_boot(kernel("echo"), *options) as (run, screen):
        screen.wait_for(lambda left, right: shows(left, "uart") and shows(right, "uart"))
        assert shows(screen.screen.display, "core 04 (tile 2,0)")
        screen.type(b"left")
        screen.wait_for(lambda left, right: shows(left, "LEFT") and not shows(right, "LEFT"))
        screen.type(NEXT + b"right" + NEXT + b"!")
        screen.wait_for(lambda left, right: shows(left, "LEFT!") and shows(right, "RIGHT"))
        screen.type(END)
        # The last screens stay behind.
        screen.wait_for(lambda left, right: shows(left, "-- core 05 (tile 2,0)"))
        assert run.wait(WAIT_S) == 0
    text = (logs / "core04-com1.log").read_bytes(), (logs / "core06-com1.log").read_bytes()
    assert text == (b"uart LEFT!", b"uart ")


def test_more_consoles_than_fit(kernel: Callable[[str], Path]) -> None:
    with rck_boot(kernel("echo"), "--view", "all") as (run, screen):
        screen.wait_for(lambda left, right: shows(left, "48 consoles do not fit"))
        assert run.wait(WAIT_S) == 64


def test_the_view_needs_a_terminal(boot, kernel: Callable[[str], Path]) -> None:
    told = boot(kernel("echo"), "--cores", "0", "--view", "0")
    assert told.returncode == 64 and "--view needs a terminal" in told.stderr
    assert "--output-dir" in told.stderr
    told = boot(kernel("echo"), "--cores", "0", "--view", "1")
    assert told.returncode == 64 and "core 1 boots nothing" in told.stderr
