"""Where do two results part? The key `host` is left out: it may differ."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

_MISSING = object()


def differences(a: Any, b: Any, path: str = "") -> Iterator[str]:
    """Each place where two documents differ, in the order of the first.

    >>> list(differences({"time_ps": 5, "host": 1}, {"time_ps": 6, "host": 2}))
    ['time_ps: 5 / 6']
    """
    if isinstance(a, dict) and isinstance(b, dict):
        for key in [*a, *(key for key in b if key not in a)]:
            if path or key != "host":
                where = f"{path}.{key}" if path else str(key)
                yield from differences(a.get(key, _MISSING), b.get(key, _MISSING), where)
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for index, (left, right) in enumerate(zip(a, b, strict=True)):
            yield from differences(left, right, f"{path}[{index}]")
    elif a != b:
        yield f"{path}: {_show(a)} / {_show(b)}"


def _show(value: Any) -> str:
    if value is _MISSING:
        return "(missing)"
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
