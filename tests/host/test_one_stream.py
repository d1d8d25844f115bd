"""Text of several cores as one: whose line it is, and for how long."""

from __future__ import annotations

from rockcreek.consoles import console
from rockcreek.consoles.one_stream import PAUSE_PS, OneStream


def written(*chunks: tuple[int, int, bytes]) -> bytes:
    """What comes out of chunks of text with their times and cores, once all have come."""
    out = bytearray()
    stream = OneStream(out.extend)
    for time_ps, core, data in chunks:
        stream.feed(time_ps, core, data)
    stream.flush()
    return bytes(out)


def test_characters_of_two_cores_make_two_lines() -> None:
    mixed = [
        (t, t % 2, text[t // 2 :][:1]) for t in range(8) for text in [(b"one\n", b"two\n")[t % 2]]
    ]
    assert written(*mixed) == b"one\ntwo\n"


def test_a_line_is_another_cores_to_end_after_a_pause() -> None:
    assert written((0, 0, b"sum: "), (PAUSE_PS, 1, b"5\n")) == b"sum: 5\n"
    assert (
        written((0, 0, b"one"), (9, 1, b"two\n"), (PAUSE_PS, 0, b" more\n")) == b"onetwo\n more\n"
    )


def test_one_core_is_passed_on_as_it_comes() -> None:
    out = console.Sink("stdout")
    lines = console.Console(out, out, label=console.no_label, raw=console.PORTS)
    for text in (b"a", b"b\nc", b"d"):
        before = len(out.captured)
        lines.feed([(0, 3, console.PORT_STDOUT, text)])
        assert out.captured[before:] == text
    assert lines.bytes_written[console.PORT_STDOUT] == 5


def test_who_begins_the_next_line_lets_the_others_go_first() -> None:
    assert written((0, 0, b"on"), (1, 1, b"two\n"), (2, 0, b"e\nthr"), (3, 0, b"ee\n")) == (
        b"one\ntwo\nthree\n"
    )


def test_text_that_waits_comes_when_time_passes_or_somebody_is_asked() -> None:
    for tell in ("time", "prompt", "end"):
        out = console.Sink("stdout")
        lines = console.Console(out, out, label=console.no_label, raw=(console.PORT_STDOUT,))
        lines.feed(
            [(0, 0, console.PORT_STDOUT, b"name? "), (5, 1, console.PORT_STDOUT, b"ready\n")]
        )
        assert (out.captured, lines.holds_text) == (b"name? ", True)
        if tell == "time":
            lines.pass_time(PAUSE_PS - 1)
            assert lines.holds_text
            lines.pass_time(PAUSE_PS)
        elif tell == "prompt":
            lines.show_prompt(0)
        else:
            lines.finish()
        assert (out.captured, lines.holds_text) == (b"name? ready\n", False)
