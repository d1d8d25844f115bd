"""What a misspelt word may have meant."""

from __future__ import annotations


def nearest(word: str, known: list[str]) -> str:
    """`; did you mean 'run'?`, or nothing."""
    import difflib

    match = difflib.get_close_matches(word, known, n=1)
    return f"; did you mean '{match[0]}'?" if match else ""
