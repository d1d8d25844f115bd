"""Chip descriptions as people write them: `columns = 8`, `l2_size = "512 KiB"`.

The engine reads each parameter as a table with value, unit and source. What a description of one's
own leaves out is completed here, by the real chip's parameter of that name; a description that
leaves nothing out stays as it is, to the byte.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping
from typing import Any

from rockcreek.errors import UsageError
from rockcreek.printable import nearest
from rockcreek.reading.documents import Table
from rockcreek.units import parse_bytes

# The key of sources.bib for what Rockcreek, or whoever uses it, has chosen.
OWN_SOURCE = "rockcreek"
_QUANTITY = re.compile(r"(-?[0-9]{1,15}(?:\.[0-9]{1,9})?)\s*(.*)")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_UNKNOWN = re.compile(r"([\w.\[\]-]+): is not a key of a chip description")


class Misfit(Exception):
    """A value that is no quantity of its parameter's unit; says where and why."""


def completed(values: Table, template: Table, path: str = "") -> Table:
    """The values with each parameter whole: with a unit, a source, and a number as its value."""
    found: Table = {}
    for key, value in values.items():
        known, where = template.get(key), f"{path}.{key}" if path else key
        if not isinstance(known, dict):
            found[key] = value
        elif "value" in known:
            found[key] = _parameter(value, known, where)
        elif isinstance(value, dict):
            found[key] = completed(value, known, where)
        else:
            found[key] = value
    return found


def _parameter(value: Any, known: Table, where: str) -> Any:
    whole = dict(value) if isinstance(value, dict) else {"value": value}
    if "value" not in whole or isinstance(whole["value"], dict | list):
        return value
    if isinstance(whole["value"], str) and not isinstance(known["value"], str):
        whole["value"] = _number(whole["value"], known.get("unit", ""), where)
    if "unit" in known:
        whole.setdefault("unit", known["unit"])
    whole.setdefault("source", [OWN_SOURCE])
    return whole


def _number(text: str, unit: str, where: str) -> int | float:
    """The number that a text such as `512 KiB` or `800 MHz` says."""
    if unit == "bytes":
        try:
            return parse_bytes(text)
        except UsageError as error:
            raise Misfit(f"{where}: {error.message} in bytes, such as 512 KiB") from None
    match = _QUANTITY.fullmatch(text.strip())
    if match is None or match[2].lower() not in ("", unit.lower()):
        raise Misfit(f"{where}: '{text}' is not a number of {unit}")
    return float(match[1]) if "." in match[1] else int(match[1])


def changed(values: Table, key: str, value: Any) -> Table:
    """The values with another one for the parameter of this key: `cache.l2_size`."""
    found = copy.deepcopy(values)
    table: Any = found
    *path, last = key.split(".")
    for number, step in enumerate(path):
        inner = table.get(step)
        if not isinstance(inner, dict) or "value" in inner:
            raise Misfit(unknown(".".join(path[: number + 1]), values))
        table = inner
    known = table.get(last)
    if not isinstance(known, dict) or "value" not in known:
        raise Misfit(unknown(key, values))
    if isinstance(value, str) and not isinstance(known["value"], str):
        value = _number(value, known.get("unit", ""), key)
    unit = {"unit": known["unit"]} if "unit" in known else {}
    table[last] = {"value": value, **unit, "source": [OWN_SOURCE]}
    return found


def unknown(key: str, values: Table) -> str:
    """What to say of a key that is none, with the nearest one that is."""
    *path, last = key.split(".")
    table: Any = values
    for step in path:
        table = table.get(step) if isinstance(table, Mapping) else None
    known = [one for one in table if one != last] if isinstance(table, Mapping) else []
    return f"{key}: is not a key of a chip description{nearest(last, known)}"


def refined(message: str, template: Table) -> str:
    """The engine's message; of a key that it does not know, with the nearest one."""
    match = _UNKNOWN.fullmatch(message)
    return message if match is None else unknown(match[1], template)


def to_toml(values: Table) -> str:
    """The values as TOML, a line for each key at the top."""
    return "".join(f"{_key(key)} = {_inline(value)}\n" for key, value in values.items())


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False)


def _inline(value: Any) -> str:
    """
    >>> _inline({"a b": [1, 2.5, "x"], "c": True})
    '{ "a b" = [1, 2.5, "x"], c = true }'
    """
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(key)} = {_inline(one)}' for key, one in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    if isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)
    return repr(value) if isinstance(value, int | float) else json.dumps(str(value))
