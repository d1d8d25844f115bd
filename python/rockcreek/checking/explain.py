"""The finding that `FILE#n` names, for `rck explain`."""

from __future__ import annotations

from rockcreek.errors import UsageError
from rockcreek.formats.findings import Finding
from rockcreek.reading import findings as reader


def read(text: str) -> Finding:
    """The finding that `FILE#n` names."""
    path, separator, number = text.rpartition("#")
    if not separator or not (number.isascii() and number.isdigit() and len(number) < 10):
        raise UsageError(
            f"'{text}' is not of the form FILE#n", hint="for example `rck explain r.json#1`"
        )
    findings = reader.load(path)
    for finding in findings:
        if finding["number"] == int(number):
            return finding
    raise UsageError(f"{path} has no finding {number}", hint=f"it has {len(findings)}, from 1 on")
