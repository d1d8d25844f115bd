"""The text whose phrases are looked for, and an empty file for what is found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

TEXT = Path(__file__).resolve().parents[2] / "build/lino/kjv.txt"


def files(values: Mapping[str, Any]) -> dict[str, str]:
    """The first verses of the text; the guest overwrites the other file."""
    verses = TEXT.read_text(encoding="utf-8").splitlines(keepends=True)
    return {"text": "".join(verses[: values["verses"]]), "0.con": ""}
