"""What the page's data must look like: numbers where numbers belong, texts where texts belong.

A result is a file of anybody's. What does not fit is refused here, so that the page's scripts never
meet a value of another kind than they expect.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rockcreek.errors import InputError

NUMBER = "a number"
NUMBER_OR_NONE = "a number or null"
TEXT = "a text"
# Of a mapping whose keys are data: every value is of this shape.
EACH = "*"

_CORE = {
    "core": NUMBER,
    "rank": NUMBER,
    "reason": TEXT,
    "exit_code": NUMBER_OR_NONE,
    "end_ps": NUMBER_OR_NONE,
    "x": NUMBER,
    "y": NUMBER,
    "waits": [TEXT],
    "values": {EACH: NUMBER},
}
_LINK = dict.fromkeys(("x", "y", "east", "west", "north", "south"), NUMBER)
_MESSAGES = dict.fromkeys(("source", "target", "messages", "bytes"), NUMBER)
SHAPE = {
    "program": TEXT,
    "arguments": [TEXT],
    "chip": {"name": TEXT, "clocks": TEXT},
    "end": TEXT,
    "errors": [TEXT],
    "time_ps": NUMBER,
    "instructions": NUMBER,
    "totals": {"messages": NUMBER, "mesh_packets": NUMBER},
    "columns": NUMBER,
    "rows": NUMBER,
    "metrics": {EACH: TEXT},
    "cores": [_CORE],
    "links": [_LINK],
    "ues": NUMBER,
    "messages": [_MESSAGES],
    "marks": [{"time_ps": NUMBER, "core": NUMBER, "id": NUMBER}],
    "power": [[NUMBER]],
    "moments": {
        "spans": [[NUMBER]],
        "values": {EACH: [[NUMBER]]},
        "links": [[(NUMBER, NUMBER, TEXT, NUMBER)]],
    },
}
LINES = {"cycles": NUMBER, "rows": [{"where": TEXT, "text": TEXT, "causes": {EACH: NUMBER}}]}


def fit(value: Any, shape: Any, where: str = "") -> Any:
    """The value's parts that the shape names; an `InputError` where one is of another kind.

    >>> fit({"a": [1, 2.5], "more": {}}, {"a": [NUMBER]})
    {'a': [1, 2.5]}
    >>> try:
    ...     fit({"a": [{}]}, {"a": [NUMBER]})
    ... except InputError as error:
    ...     print(error)
    this is no result that can be shown: a[0] must be a number
    """
    if isinstance(shape, str):
        return value if _is(value, shape) else _refuse(where, shape)
    if isinstance(shape, list):
        items = value if isinstance(value, list) else _refuse(where, "a list")
        return [fit(item, shape[0], f"{where}[{n}]") for n, item in enumerate(items)]
    if isinstance(shape, tuple):
        if not isinstance(value, list) or len(value) != len(shape):
            _refuse(where, f"a list of {len(shape)}")
        return [
            fit(item, one, f"{where}[{n}]")
            for n, (item, one) in enumerate(zip(value, shape, strict=True))
        ]
    if not isinstance(value, Mapping):
        _refuse(where, "an object")
    if EACH in shape:
        return {str(key): fit(item, shape[EACH], f"{where}.{key}") for key, item in value.items()}
    missing = [key for key in shape if key not in value]
    if missing:
        _refuse(f"{where}.{missing[0]}", "there")
    return {key: fit(value[key], one, f"{where}.{key}") for key, one in shape.items()}


def _is(value: Any, kind: str) -> bool:
    if kind == TEXT:
        return isinstance(value, str)
    if value is None:
        return kind == NUMBER_OR_NONE
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _refuse(where: str, what: str) -> Any:
    raise InputError(
        f"this is no result that can be shown: {where.lstrip('.')} must be {what}",
        path="",
        hint="`rck run --json FILE` of this version writes one",
    )
