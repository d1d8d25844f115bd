"""One row a kind of finding: the schema knows the same kinds, and each row says something."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from rockcreek.checking.kinds import KINDS, Kind, remedy, say, title
from rockcreek.formats import findings as schema

TEXTS = ("why", "last", "culprit", "victim_cache", "culprit_cache")


def site(core: int, line: int, value: int) -> dict[str, Any]:
    frame = {"eip": 16, "function": "f", "file": "/src/prog.c", "line": line}
    return {
        "core": core,
        "address": 0x8000_0000,
        "size": 4,
        "value": value,
        "time_ps": line,
        "memory_type": "MPBT",
        "frames": [frame],
        "place": 0,
    }


def finding(kind: str, order: bool) -> dict[str, Any]:
    released, acquired = site(1, 13, 0xC), site(0, 14, 0xC)
    return {
        "kind": kind,
        "what": "branch" if kind == "unwritten" else "buffer",
        "count": 1,
        "block": {"size": 8, "offset": 12, "allocated": site(1, 10, 0xD)},
        "victim": site(0, 11, 0xA),
        "culprit": site(1, 12, 0xB),
        "level": "L1D",
        "order": {"kind": "value", "released": released, "acquired": acquired} if order else None,
    }


def test_the_schema_knows_these_kinds_and_no_others() -> None:
    assert sorted(get_args(schema.Kind)) == sorted(KINDS)


@pytest.mark.parametrize(("name", "row"), KINDS.items())
@pytest.mark.parametrize("order", [False, True])
def test_a_row_names_cores_and_lines(name: str, row: Kind, order: bool) -> None:
    one = finding(name, order or row.late is not None)
    said = [title(one), remedy(one), *(say(text, one) for t in TEXTS if (text := getattr(row, t)))]
    assert all(text and "{" not in text for text in said)
    assert "core 0" in said[0] or "core 1" in said[0]
    assert "prog.c:1" in said[1]
