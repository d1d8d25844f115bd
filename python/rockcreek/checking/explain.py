"""The finding that `FILE#n` names, for `rck explain`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rockcreek.errors import InputError, NotFoundError, UsageError


def read(text: str) -> dict[str, Any]:
    """The finding that `FILE#n` names."""
    path, separator, number = text.rpartition("#")
    if not separator or not number.isdigit():
        raise UsageError(
            f"'{text}' is not of the form FILE#n", hint="for example `rck explain r.json#1`"
        )
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
        findings = document["check"]["findings"]
    except OSError as error:
        raise NotFoundError(
            f"{path}: {error.strerror}",
            path=path,
            hint="`rck run --check coherence --json FILE prog` writes one",
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path}: holds no findings of a checked run",
            path=path,
            hint="`rck run --check coherence --json FILE prog` writes one",
        ) from error
    for finding in findings:
        if finding["number"] == int(number):
            return dict(finding)
    raise UsageError(f"{path} has no finding {number}", hint=f"it has {len(findings)}, from 1 on")
