"""Progress: on a terminal one line that is rewritten, elsewhere a line now and then."""

from __future__ import annotations

import io
import os

import pytest

import rockcreek
from rockcreek.running.live_die import LiveDie
from rockcreek.running.progress import Progress
from rockcreek.units import format_slowdown


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Broken(Terminal):
    def write(self, text: str) -> int:
        raise OSError(32, "Broken pipe")


def test_nothing_in_the_first_two_seconds() -> None:
    stream = Terminal()
    progress = Progress(enabled=True, stream=stream)
    progress.update(1.9, 10**9, 10**6)
    progress.clear()
    assert stream.getvalue() == ""


def test_a_line_a_second_on_a_terminal() -> None:
    stream = Terminal()
    progress = Progress(enabled=True, stream=stream)
    for wall_s in (2.1, 2.5, 3.2):
        progress.update(wall_s, 21 * 10**9, 210 * 10**6)
    lines = stream.getvalue().split("\r\x1b[K")
    assert lines[0] == "rck: 2 s: 21.000 ms simulated, 100.0 MIPS, 100x slower than the chip"
    assert len(lines) == 2
    progress.clear()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_what_is_left_and_the_die_below(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((100, 24)))
    stream = Terminal()
    die = ["  ## ..", "  .. ##"]
    progress = Progress(enabled=True, until_ps=40 * 10**9, die=lambda: die, stream=stream)
    progress.update(3.0, 10 * 10**9, 10**6)
    assert stream.getvalue().endswith(", about 9 s left\n  ## ..\n  .. ##")
    before = len(stream.getvalue())
    progress.clear()
    # The line of the cursor, and the two above it.
    assert stream.getvalue()[before:] == "\r\x1b[K" + 2 * "\x1b[A\r\x1b[K"
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((80, 9)))
    progress.update(5.0, 10 * 10**9, 10**6)
    assert "##" not in stream.getvalue()[before:]
    log = io.StringIO()
    Progress(enabled=True, die=lambda: die, stream=log).update(31.0, 10**9, 10**6)
    assert "##" not in log.getvalue()


def test_the_die_is_of_the_last_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    chip = rockcreek.Chip("scc")
    counts = {0: (0, 0), 47: (0, 0)}
    monkeypatch.setattr(
        chip,
        "statistics",
        lambda: {
            "cores": [
                {"core": {"instructions": done}, "cycles": cycles}
                for done, cycles in (counts.get(core, (0, 0)) for core in range(48))
            ]
        },
    )
    live = LiveDie(chip, (0, 47))
    counts |= {0: (100, 100), 47: (0, 100)}
    assert [line.rstrip() for line in live.lines()] == ["", "", "", "  ##"]
    counts |= {0: (100, 200), 47: (50, 200)}
    assert [line.rstrip() for line in live.lines()] == [" " * 29 + "::", "", "", ""]
    monkeypatch.delenv("NO_COLOR")
    assert "\x1b[48;2;124;123;120m" in LiveDie(chip, (0,)).lines()[3]


def test_a_line_every_thirty_seconds_elsewhere() -> None:
    stream = io.StringIO()
    progress = Progress(enabled=True, stream=stream)
    for wall_s in range(1, 62):
        progress.update(float(wall_s), 10**9, 10**6)
    assert len(stream.getvalue().splitlines()) == 2


def test_disabled_and_broken_streams_are_harmless() -> None:
    stream = Terminal()
    Progress(enabled=False, stream=stream).update(9.0, 10**9, 10**6)
    assert stream.getvalue() == ""
    broken = Progress(enabled=True, stream=Broken())
    broken.update(9.0, 10**9, 10**6)
    broken.update(19.0, 10**9, 10**6)


@pytest.mark.parametrize(
    ("wall_s", "time_ps", "told"),
    [
        (1.0, 10**10, "100x slower than the chip"),
        (1.0, 3 * 10**12, "3.0x faster than the chip"),
        (1.0, 10**12, "as fast as the chip"),
        (1.0, 0, "no simulated time"),
    ],
)
def test_speed_is_told_the_right_way_round(wall_s: float, time_ps: int, told: str) -> None:
    assert format_slowdown(wall_s, time_ps) == told
