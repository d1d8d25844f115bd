"""Damaged inputs from good ones: bytes as disks and hands change them, documents as programs do."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

_SPECIAL: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64, -(2**63), 10**40, 0.5, -0.0,
    1e308, 1e-320, "", "x", "0", "any", "../../../etc/passwd", "/dev/null", "\u0000", "\x1b[2J",
    "\ud800", "<script>", "533/800/800", "0/0/0", "core", [], [[]], {}, {"": {}}, [None], [0] * 50,
    {"value": 1},
)  # fmt: skip
_BYTES = (b"\x00" * 64, b"[" * 2000, b'"', b"{", b"}", b"\n", b"=", b"9" * 5000, b"\xff\xfe", b"-")


def mutated(data: bytes, rng: random.Random, kind: str) -> bytes:
    """The input with one to four changes; of a JSON document mostly of its values."""
    found = data
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        if kind == "json" and rng.random() < 0.75:
            found = _of_document(found, rng)
        else:
            found = rng.choice(_CHANGES)(found, rng)
    return found


def _flipped(data: bytes, rng: random.Random) -> bytes:
    if not data:
        return b"x"
    changed = bytearray(data)
    changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _without(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data) + 1)
    return data[:start] + data[start + rng.randrange(1, 200) :]


def _doubled(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data) + 1)
    part = data[start : start + rng.randrange(1, 200)]
    return data[:start] + part * rng.choice((2, 2, 3, 50)) + data[start + len(part) :]


def _with_bytes(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data) + 1)
    length = rng.choice((0, 0, 1, 64))
    return data[:start] + rng.choice(_BYTES) + data[start + length :]


def _other_number(data: bytes, rng: random.Random) -> bytes:
    """A run of digits becomes another one."""
    places = [at for at, byte in enumerate(data) if 48 <= byte < 58]
    if not places:
        return data
    at = rng.choice(places)
    new = rng.choice((b"0", b"-1", b"99999999999999999999", b"1e400", b"true", b'"7"', b"0x"))
    return data[:at] + new + data[at + 1 :]


def _lines_swapped(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return b"\n".join(lines)


_CHANGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _flipped, _flipped, _cut, _without, _doubled, _with_bytes, _other_number, _other_number,
    _lines_swapped,
)  # fmt: skip


def _of_document(data: bytes, rng: random.Random) -> bytes:
    """One value somewhere becomes another, goes, or comes twice."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return _flipped(data, rng)
    places: list[tuple[Any, Any]] = []
    try:
        _collect(document, places)
    except RecursionError:
        return _flipped(data, rng)
    if not places:
        return json.dumps(rng.choice(_SPECIAL)).encode()
    holder, key = rng.choice(places)
    how = rng.random()
    if how < 0.65:
        holder[key] = rng.choice(_SPECIAL)
    elif how < 0.85:
        del holder[key]
    elif isinstance(holder, list):
        holder.insert(key, holder[key])
    else:
        other, name = rng.choice(places)
        holder[key] = json.loads(json.dumps(other[name]))
    try:
        return json.dumps(document).encode()
    except (ValueError, RecursionError):
        return _flipped(data, rng)


def _collect(value: Any, places: list[tuple[Any, Any]]) -> None:
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            places.append((value, key))
            _collect(value[key], places)
