"""Damaged files end with a message and a documented exit code, whoever reads them.

`make fuzz` runs 100,000 inputs; here each reader gets a few, and the ones that once broke it.
"""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from readers.fuzz import SUFFIXES, run
from readers.target import Target
from readers.targets import targets

NAMES = (
    "view", "compare", "compare-json", "die", "die-animated", "timeline", "model", "cite",
    "campaign", "explain", "profile", "speedscope", "view-profile", "rows", "faults", "chip",
    "chip-based", "suppressions", "sweep-plan", "study", "kernel", "hosts", "note", "boot-note",
    "record", "program", "requests", "words", "speedup-table", "search", "campaign-table",
    "snapshot", "restore", "guest-kernel", "bzimage", "packets", "run", "cc",
)  # fmt: skip


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Target]:
    return {one.name: one for one in targets(tmp_path_factory.mktemp("good"))}


def test_every_reader_is_listed(readers: dict[str, Target]) -> None:
    assert tuple(readers) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_good_input_is_read(readers: dict[str, Target], tmp_path: Path, name: str) -> None:
    for suffix in SUFFIXES:
        (tmp_path / f"input{suffix}").write_bytes(readers[name].good)
    ended = readers[name].read(str(tmp_path / "input"))
    assert ended in (0, 1) or ended in readers[name].more_codes


@pytest.mark.parametrize("name", NAMES)
def test_damaged_inputs(readers: dict[str, Target], tmp_path: Path, name: str) -> None:
    seen = run(readers[name], tmp_path, seed=1, count=20)
    assert not seen.wrong, "\n".join(seen.wrong[:3])
    assert functools.reduce(lambda a, b: a + b, seen.codes.values()) == 20


# Inputs that once broke a reader, by their number in its sequence of seed 1.
FOUND = {"faults": (204, 1776, 2911)}


@pytest.mark.parametrize(("name", "number"), [(n, at) for n, ats in FOUND.items() for at in ats])
def test_what_once_broke(
    readers: dict[str, Target], tmp_path: Path, name: str, number: int
) -> None:
    seen = run(readers[name], tmp_path, seed=1, count=1, first=number)
    assert not seen.wrong, seen.wrong[0]


def test_numbers_of_thousands_of_digits(tmp_path: Path) -> None:
    from rockcreek.errors import UsageError
    from rockcreek.units import parse_duration_ps

    with pytest.raises(UsageError, match="is not a duration"):
        parse_duration_ps("9" * 5000 + "ms")


def test_a_source_that_is_a_device_is_not_read() -> None:
    from rockcreek.reading.sources import Sources

    for file in ("/dev/zero", "a\0b", "/", "/etc/passwd"):
        assert Sources(["/"]).line(file, 1) == ""
