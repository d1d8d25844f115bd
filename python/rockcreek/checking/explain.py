"""The finding that `FILE#n` names, for `rck explain`."""

from __future__ import annotations

from typing import Any

from rockcreek.errors import UsageError
from rockcreek.reading import findings as reader


def read(text: str) -> dict[str, Any]:
    """The finding that `FILE#n` names."""
    path, separator, number = text.rpartition("#")
    if not separator or not (number.isascii() and number.isdigit() and len(number) < 10):
        raise UsageError(
            f"'{text}' is not of the form FILE#n", hint="for example `rck explain r.json#1`"
        )
    findings = reader.load(path)
    for finding in findings:
        if finding["number"] == int(number):
            return dict(finding)
    raise UsageError(f"{path} has no finding {number}", hint=f"it has {len(findings)}, from 1 on")
