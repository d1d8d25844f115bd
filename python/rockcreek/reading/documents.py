"""Text, JSON and TOML from files that may hold anything: size, depth, texts and digits are bounded.

JSON is read by msgspec, TOML by the standard library; both stop at what is malformed. What is
well-formed and would still do harm is refused here: a document of gigabytes, thousands of brackets,
numbers of thousands of digits.
"""

from __future__ import annotations

import math
import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from rockcreek.errors import InputError, NotFoundError

MOST_BYTES = 1 << 28  # of JSON: results of long runs with samples
MOST_TOML_BYTES = 1 << 22
MOST_DEPTH = 64
MOST_TEXT = 1 << 24  # characters of one text
_LARGEST = 1 << 63
_PART = 1 << 20
# What msgspec says of a place: "... - at `$.cores[0].core`".
_PLACE = re.compile(r"(?s)(.*) - at `(?:key in )?\$?(.*)`")
_MISSING = re.compile(r"Object missing required field `(.*)`")
_STEP = re.compile(r"([^.\[\]]+)(?:\.|(?=\[)|$)|\[(\d+)\]\.?")
_SHOWN = 160

T = TypeVar("T")
# A table of a TOML file, nested as the file is; nobody knows what it holds before `typed` has said
# so, and a chip description may say more than any schema of ours.
Table = dict[str, Any]


def first(path: str | Path, most: int) -> bytes:
    """The first bytes of a file. What never ends, a device or a pipe, ends there, and a small file
    takes no more memory than it has bytes."""
    parts: list[bytes] = []
    with open(path, "rb") as file:
        while most > 0 and (part := file.read(min(most, _PART))):
            parts.append(part)
            most -= len(part)
    return b"".join(parts)


def data(path: str | Path, *, most: int = MOST_BYTES, hint: str | None = None) -> bytes:
    """The bytes of a file, which must not be more than so many."""
    try:
        found = first(path, most + 1)
    except (OSError, ValueError) as error:
        # ValueError: a path that no file can have, with a NUL in it for example.
        why = getattr(error, "strerror", None) or str(error)
        raise NotFoundError(f"{path}: {why}", path=str(path), hint=hint) from error
    if len(found) > most:
        raise InputError(f"{path}: is larger than {most:,} bytes", path=str(path), hint=hint)
    return found


def text(path: str | Path, *, most: int = MOST_BYTES, hint: str | None = None) -> str:
    """The text of a file in UTF-8."""
    try:
        return data(path, most=most, hint=hint).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: is not UTF-8 text (byte {error.start})", path=str(path), hint=hint
        ) from error


def json(path: str | Path, *, hint: str | None = None) -> Any:
    """The document in a JSON file."""
    return json_of(data(path, hint=hint), str(path), hint=hint)


def json_of(encoded: bytes, path: str, *, hint: str | None = None) -> Any:
    """The document in these bytes of a file."""
    try:
        document = msgspec.json.decode(encoded)
    except RecursionError as error:
        raise _deep(path, hint) from error
    except ValueError as error:
        # Also of numbers of thousands of digits, and of what is not UTF-8.
        raise InputError(f"{path}: is not JSON ({_short(error)})", path=path, hint=hint) from error
    _bounded(document, path, hint)
    return document


def toml(path: str | Path, *, hint: str | None = "correct the file") -> Table:
    """The tables of a TOML file."""
    return toml_of(text(path, most=MOST_TOML_BYTES, hint=hint), str(path), hint=hint)


def toml_of(written: str, path: str, *, hint: str | None = "correct the file") -> Table:
    """The tables in this text of a file."""
    if len(written) > MOST_TOML_BYTES:
        raise InputError(f"{path}: is larger than {MOST_TOML_BYTES:,} bytes", path=path, hint=hint)
    try:
        document = tomllib.loads(written)
    except RecursionError as error:
        raise _deep(path, hint) from error
    except ValueError as error:
        raise InputError(f"{path}: {_short(error)}", path=path, hint=hint) from error
    _bounded(document, path, hint)
    return document


def typed(document: Any, schema: type[T], path: str, *, hint: str | None = None) -> T:
    """The document as this type; an error names the place that does not fit."""
    try:
        return msgspec.convert(document, schema, strict=True)
    except msgspec.ValidationError as error:
        match = _PLACE.fullmatch(str(error))
        what, place = (match[1], match[2].lstrip(".")) if match else (str(error), "")
        missing = _MISSING.fullmatch(what)
        if missing is not None:
            name = f"{place}.{missing[1]}" if place else missing[1]
            raise misfit(path, "", f"{name} is missing", hint) from error
        found = _at(document, place)
        also = "" if found is None or "got" in what else f", not {_short(repr(found), 40)}"
        raise misfit(path, place, what[:1].lower() + what[1:] + also, hint) from error


def _at(document: Any, place: str) -> Any:
    """The value at a place as msgspec writes it; None if that is not known."""
    for key, index in _STEP.findall(place):
        try:
            document = document[int(index)] if index else document[key]
        except (KeyError, IndexError, TypeError, ValueError):
            return None
    return document


def misfit(path: str, place: str, what: str, hint: str | None = None) -> InputError:
    """The error of a document that is not what its schema says."""
    where = f"{path}: {place}: " if place else f"{path}: "
    return InputError(f"{where}{_short(what)}", path=path, hint=hint)


def _bounded(document: Any, path: str, hint: str | None) -> None:
    """Refuses depth, texts and numbers that nothing of ours has."""
    open_ones = [(document, 1)]
    while open_ones:
        value, depth = open_ones.pop()
        if isinstance(value, dict | list):
            if depth > MOST_DEPTH:
                raise _deep(path, hint)
            inside = value.values() if isinstance(value, dict) else value
            open_ones.extend((one, depth + 1) for one in inside)
            if isinstance(value, dict):
                open_ones.extend((key, depth) for key in value if len(key) > MOST_TEXT)
        elif isinstance(value, str):
            if len(value) > MOST_TEXT:
                what = f"holds a text of more than {MOST_TEXT:,} characters"
                raise InputError(f"{path}: {what}", path=path, hint=hint)
        elif isinstance(value, int):
            if not -_LARGEST <= value < 2 * _LARGEST:
                raise InputError(
                    f"{path}: holds a number of more than 64 bits", path=path, hint=hint
                )
        elif isinstance(value, float) and math.isinf(value):
            raise InputError(f"{path}: holds a number that is not finite", path=path, hint=hint)


def _deep(path: str, hint: str | None) -> InputError:
    return InputError(f"{path}: is nested more than {MOST_DEPTH} deep", path=path, hint=hint)


def _short(what: object, most: int = _SHOWN) -> str:
    line = " ".join(str(what).split())
    return line if len(line) <= most else f"{line[: most - 3]}..."
