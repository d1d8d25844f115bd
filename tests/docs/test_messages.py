"""The page of messages is that of the programs of tests/mistakes."""

from __future__ import annotations

from scripts import messages


def test_the_page_is_that_of_the_programs() -> None:
    assert messages.TARGET.read_text() == messages.page(), "run python scripts/messages.py"


def test_each_folder_of_mistakes_has_a_part() -> None:
    folders = {path.parent.name for path in messages.MISTAKES.rglob("*.c*") if path.is_file()}
    assert folders - {"__pycache__"} <= set(messages.PARTS)


def test_a_message_is_what_a_pattern_stands_for() -> None:
    assert (
        messages.plain(r"rck: at main \(a_file\.c:\d+\), [34],\d\d\d times") == "at ..., ... times"
    )
