"""Programs whose debug information is made to hold its reader: a few bytes of each unit refer to
what all of them share. They are read soon, and in little memory, with a line for the user."""

from __future__ import annotations

import logging
import resource
import struct
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import ready
from guest_programs import compile_program
from readers.test_programs import _SH_OFFSET, _place
from rockcreek.checking import variables
from rockcreek.software.image import load_program

_SECONDS = 10  # of the processor
_KILOBYTES = 1 << 20
_UNITS = 50_000
_ADDRESSES = 10_000
_START, _LENGTH = 0x08048000, 0x10000000  # all that a program may be
# Entries and attributes of DWARF 4, and how their values are written.
_COMPILE_UNIT, _SUBPROGRAM = 0x11, 0x2E
_LOW_PC, _HIGH_PC, _STMT_LIST, _RANGES, _EXTERNAL = 0x11, 0x12, 0x10, 0x55, 0x3F
_ADDRESS, _DATA4, _OFFSET, _PRESENT = 0x01, 0x06, 0x17, 0x19
_SPAN = struct.pack("<II", _START, _LENGTH)


def _number(value: int) -> bytes:
    """Unsigned LEB128."""
    found = b""
    while value > 127:
        found, value = found + bytes([value & 127 | 128]), value >> 7
    return found + bytes([value])


def _kind(code: int, tag: int, *attributes: tuple[int, int], children: bool = False) -> bytes:
    """A row of .debug_abbrev."""
    pairs = b"".join(_number(name) + _number(form) for name, form in (*attributes, (0, 0)))
    return _number(code) + _number(tag) + bytes([children]) + pairs


def _unit(entries: bytes) -> bytes:
    return struct.pack("<IHIB", 7 + len(entries), 4, 0, 4) + entries


def _overlapping() -> dict[str, bytes]:
    """Units that have each address, and no line."""
    kinds = _kind(1, _COMPILE_UNIT, (_LOW_PC, _ADDRESS), (_HIGH_PC, _DATA4)) + b"\0"
    return {".debug_abbrev": kinds, ".debug_info": _UNITS * _unit(b"\1" + _SPAN)}


def _many() -> dict[str, bytes]:
    """So many that only their headers are read."""
    found = _overlapping()
    return {**found, ".debug_info": 10 * found[".debug_info"]}


def _of_shared_lines() -> dict[str, bytes]:
    """Units without an address of their own, so that their lines are read for one."""
    kinds = _kind(1, _COMPILE_UNIT, (_STMT_LIST, _OFFSET)) + b"\0"
    lengths = bytes((0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1))  # of the operands of each opcode
    head = bytes((1, 1, 1, 0xFB, 14, 13)) + lengths + b"\0a.c\0\0\0\0\0"
    rows = b"\0\x05\x02" + struct.pack("<I", _START) + b"\x4b" * 1_000_000 + b"\0\1\1"
    program = struct.pack("<HI", 4, len(head)) + head + rows
    lines = struct.pack("<I", len(program)) + program
    units = _UNITS * _unit(b"\1" + bytes(4))
    return {".debug_abbrev": kinds, ".debug_info": units, ".debug_line": lines}


def _of_shared_ranges() -> dict[str, bytes]:
    kinds = _kind(1, _COMPILE_UNIT, (_LOW_PC, _ADDRESS), (_RANGES, _OFFSET)) + b"\0"
    ranges = 100_000 * struct.pack("<II", 1, _LENGTH) + bytes(8)
    units = _UNITS * _unit(b"\1" + bytes(8))
    return {".debug_abbrev": kinds, ".debug_info": units, ".debug_ranges": ranges}


def _of_no_bytes() -> dict[str, bytes]:
    """Functions of one byte with a hundred thousand attributes of none."""
    many = [(_EXTERNAL, _PRESENT)] * 100_000
    kinds = _kind(1, _COMPILE_UNIT, (_LOW_PC, _ADDRESS), (_HIGH_PC, _DATA4), children=True)
    kinds += _kind(2, _SUBPROGRAM, *many) + b"\0"
    info = _unit(b"\1" + _SPAN + 1_000_000 * b"\2" + b"\0")
    return {".debug_abbrev": kinds, ".debug_info": info}


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    source = tmp_path_factory.mktemp("source") / "a.c"
    source.write_text("int other(void) { return 0; }\nint main(void) { return other(); }\n")
    # Functions in sections of their own have ranges, and so a section for them.
    return compile_program(source, ["-gdwarf-4", "-ffunction-sections"]).read_bytes()


def _with(good: bytes, sections: dict[str, bytes]) -> bytes:
    """The program with other sections of debug information."""
    changed = bytearray(good)
    for name, held in sections.items():
        _, header = _place(good, name)
        struct.pack_into("<II", changed, header + _SH_OFFSET, len(changed), len(held))
        changed += held
    return bytes(changed)


@pytest.mark.parametrize(
    "made", [_overlapping, _many, _of_shared_lines, _of_shared_ranges, _of_no_bytes]
)
def test_it_is_read_soon(
    good: bytes, made: Callable[[], dict[str, bytes]], tmp_path: Path,
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    # A library that another test has used may have turned off all loggers that there were.
    monkeypatch.setattr(logging.getLogger("rockcreek.software.lines"), "disabled", False)
    (tmp_path / "hostile").write_bytes(_with(good, made()))
    program = load_program(tmp_path / "hostile")
    main = program.symbols["main"]
    memory, begin_s = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    found = program.lines.places([main, *range(_START, _START + _ADDRESSES)])
    assert [one[0] for one in program.lines.inlined(main)] == ["main"] == [found[0][0]]
    assert time.process_time() - begin_s < _SECONDS
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < _KILOBYTES
    assert "too much to read" in caplog.text and len(caplog.records) == 1


def test_names_of_variables_are_read_soon(good: bytes, tmp_path: Path) -> None:
    (tmp_path / "hostile").write_bytes(_with(good, _of_no_bytes()))
    program, begin_s = load_program(tmp_path / "hostile"), time.process_time()
    for number in range(100):
        assert variables.argument(program, _START + number, 0, 0) is None
    assert time.process_time() - begin_s < _SECONDS


def test_a_profile_is_there(good: bytes, tmp_path: Path) -> None:
    (tmp_path / "hostile").write_bytes(_with(good, _many()))
    done = ready.rck("run", "-q", "--profile", "p.json", "hostile", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("rck: hostile: its debug information is too much to read") == 1
    assert "main" in (tmp_path / "p.json").read_text()
