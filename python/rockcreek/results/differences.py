"""Where do two results part? The key `host` is left out: it may differ."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rockcreek.errors import InputError, NotFoundError
from rockcreek.results.result import SCHEMA_NAME, SCHEMA_VERSION

_MISSING = object()


def load_result(path: str) -> dict[str, Any]:
    """A result file, schema checked."""
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise NotFoundError(f"{path}: {error.strerror}", path=path) from error
    except ValueError as error:
        raise InputError(
            f"{path}: is not JSON ({error})",
            path=path,
            hint="`rck run --json` writes results; commit logs are compared with --log",
        ) from error
    schema = document.get("schema") if isinstance(document, dict) else None
    if not isinstance(schema, dict) or "name" not in schema or "version" not in schema:
        raise InputError(f"{path}: is JSON, but not a result of Rockcreek", path=path)
    if schema["name"] == SCHEMA_NAME and schema["version"] != SCHEMA_VERSION:
        raise InputError(
            f"{path}: has schema version {schema['version']}, this rck reads {SCHEMA_VERSION}",
            path=path,
            hint="run it again with this rck",
        )
    assert isinstance(document, dict)
    return document


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
