"""Every source that a table or a comment names stands in docs/sources.bib."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
TABLES = sorted((ROOT / "machine").rglob("*.toml"))
# A bracketed key in a comment that ends in a year: [partheymueller-2011].
CITATION = re.compile(r"\[([a-z][a-z0-9]*(?:-[a-z0-9]+)*-(?:19|20)\d\d)\]")


def bib_keys() -> set[str]:
    return set(re.findall(r"^@\w+\{([^,\s]+),", (ROOT / "docs/sources.bib").read_text(), re.M))


def sources(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "source":
                yield from [inner] if isinstance(inner, str) else inner
            else:
                yield from sources(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from sources(inner)


def test_there_are_tables() -> None:
    assert TABLES


@pytest.mark.parametrize("table", TABLES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_source_of_a_table_is_in_the_bibliography(table: Path) -> None:
    named = set(sources(tomllib.loads(table.read_text())))
    assert named <= bib_keys(), f"not in docs/sources.bib: {sorted(named - bib_keys())}"


@pytest.mark.parametrize("table", TABLES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_number_of_a_table_has_unit_and_source(table: Path) -> None:
    def check(value: Any, path: str) -> None:
        if isinstance(value, dict) and "value" in value and "unit" in value:
            assert value.get("source"), f"{path} has no source"
        if isinstance(value, dict):
            for key, inner in value.items():
                check(inner, f"{path}.{key}")

    check(tomllib.loads(table.read_text()), table.stem)


def test_every_citation_in_a_comment_is_in_the_bibliography() -> None:
    missing = {}
    for folder, endings in (("guest", (".c", ".h", ".S")), ("crates", (".rs",))):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in endings:
                for key in CITATION.findall(path.read_text(errors="replace")):
                    if key not in bib_keys():
                        missing.setdefault(key, str(path.relative_to(ROOT)))
    assert not missing


def test_no_key_is_defined_twice() -> None:
    text = (ROOT / "docs/sources.bib").read_text()
    keys = re.findall(r"^@\w+\{([^,\s]+),", text, re.M)
    assert len(keys) == len(set(keys))
