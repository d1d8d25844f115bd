"""Guest images: is this file a program that the chip can run, and what does it define?

A runnable program is a static 32-bit x86 ELF executable (System V or Linux ABI). Everything else
ends with a message that says what the file is and what to do.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from elftools.common.exceptions import DWARFError, ELFError
from elftools.construct.core import ConstructError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from rockcreek import printable, resources
from rockcreek.errors import InputError, NotFoundError
from rockcreek.reading import documents
from rockcreek.software.lines import Lines
from rockcreek.units import format_bytes

# Programs built against our own RCCE carry this section; originals do not (see launch.py).
NOTE_SECTION = ".note.rockcreek"
_COMPILE_HINT = "compile it for the chip: `rck cc prog.c -o prog`"
_CALL, _CALL_BYTES = b"\xe8", 5  # CALL rel32
_PAGE = 4096
# Of a file that is loaded: more than any core's memory holds.
MOST_BYTES = 1 << 30
# Bytes of a table of symbols or names that is compressed: programs have some 10^5 symbols.
_LONGEST_TABLE = 64 << 20
_LONGEST_ABBREVIATIONS = 4 << 20
# e_phnum at and above this stands for a number in a section, of up to 32 bits (System V ABI).
_MANY_SEGMENTS = 0xFFFF
# Where guest/kernel lets a program lie: above the null page, below stack and kernel.
_USER_START, _USER_END = _PAGE, 0xBF000000
# A symbol (System V ABI, Elf32_Sym): name, value, size, info, other, section.
_SYMBOL = "<IIIBBH"
_UNDEFINED = 0
_OBJECT = 1
_FUNCTION = 2
# Binding and type in one number: GLOBAL, NOTYPE.
_GLOBAL_LABEL = 0x10
_ABSOLUTE = 0xFFF1
# What pyelftools and `struct` let escape when headers or tables hold nonsense.
UNREADABLE = (
    ELFError,
    DWARFError,
    ConstructError,
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    struct.error,
    AssertionError,
    NotImplementedError,
    RecursionError,
    zlib.error,
)


def _size_of(section: Any) -> int:
    """How many bytes a section has once it is read: one that is compressed, or stands for zeros,
    only says how many; 0 would mean any number, and GNU's older way to compress has no size."""
    grows = section.compressed or section["sh_type"] == "SHT_NOBITS"
    if (grows and not section.data_size) or section.name.startswith(".z"):
        raise ELFError(f"a compressed section without a size, {section.name}")
    return int(section.data_size)


def _bytes_of(section: Any) -> bytes:
    """What a section holds, if it is not longer than its file by far."""
    if _size_of(section) > _LONGEST_TABLE:
        raise ELFError(f"a section of {section.data_size:,} bytes")
    return bytes(section.data())


class Segment(NamedTuple):
    """An entry of the program headers."""

    kind: str
    start: int
    offset: int
    file_bytes: int
    memory_bytes: int
    is_code: bool
    is_writable: bool


def _segments(elf: Any) -> list[Segment]:
    """All of them, or one of UNREADABLE."""
    if elf["e_phnum"] >= _MANY_SEGMENTS:
        raise ELFError("more segments than the header can count")
    return [
        Segment(
            one["p_type"], one["p_vaddr"], one["p_offset"], one["p_filesz"], one["p_memsz"],
            bool(one["p_flags"] & 1), bool(one["p_flags"] & 2),
        )
        for one in elf.iter_segments()
    ]  # fmt: skip


@dataclass(frozen=True)
class Image:
    """An ELF file: its bytes and what its headers say."""

    path: Path
    data: bytes

    @property
    def name(self) -> str:
        """The base name: what the guest sees as argv[0], on every host the same."""
        return self.path.name

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    @cached_property
    def _elf(self) -> Any:
        return ELFFile(BytesIO(self.data))

    @cached_property
    def _table(self) -> list[tuple[str, int, int, int, int]]:
        """Name, value, size, info and section of each symbol. None where the table is damaged: a
        program needs no sections to run."""
        found = []
        left = _LONGEST_TABLE
        try:
            section = self._elf.get_section_by_name(".symtab")
            if isinstance(section, SymbolTableSection):
                names = _bytes_of(section.stringtable)
                for start, value, size, info, _, place in struct.iter_unpack(
                    _SYMBOL, _bytes_of(section)
                ):
                    end = names.index(0, start)
                    left -= end - start
                    if left < 0:  # each symbol may begin within the name of another one
                        raise ELFError("more names than their table has bytes")
                    name = printable.name(names[start:end].decode(errors="replace"))
                    found.append((name, value, size, info, place))
        except UNREADABLE:
            return []
        return found

    @cached_property
    def symbols(self) -> dict[str, int]:
        """Defined symbols by name; the first of a name wins."""
        table: dict[str, int] = {}
        for name, value, _, _, place in self._table:
            if name and place != _UNDEFINED:
                table.setdefault(name, value)
        return table

    @cached_property
    def functions(self) -> list[tuple[int, int, str]]:
        """Address, size and name of each function, and of labels of assembly code that other files
        see (size 0); by address, one name each."""
        found: dict[int, tuple[int, str]] = {}
        for name, value, size, info, place in self._table:
            label = info == _GLOBAL_LABEL and place != _ABSOLUTE
            if place == _UNDEFINED or not (info & 0xF == _FUNCTION or label):
                continue
            if name and (value not in found or size > found[value][0]):
                found[value] = (size, name)
        return sorted((at, *what) for at, what in found.items() if self.holds_code(at))

    def function_at(self, address: int) -> str | None:
        """The name of the function that this code belongs to."""
        index = bisect_right(self.functions, address, key=lambda function: function[0]) - 1
        if index < 0:
            return None
        start, size, name = self.functions[index]
        return name if address < start + size or not size else None

    @cached_property
    def variables(self) -> list[tuple[int, int, str]]:
        """Address, size and name of each variable with a place of its own, by address; names of
        C++ as they are written."""
        from rockcreek import _native

        found = [
            (value, size, name)
            for name, value, size, info, place in self._table
            if info & 0xF == _OBJECT and size and place != _UNDEFINED
        ]
        shown = _native.demangle([name for _, _, name in found])
        return sorted((at, size, name) for (at, size, _), name in zip(found, shown, strict=True))

    @cached_property
    def has_our_note(self) -> bool:
        try:
            return self._elf.get_section_by_name(NOTE_SECTION) is not None
        except UNREADABLE:
            return False

    @cached_property
    def segments(self) -> list[Segment]:
        """What is loaded; nothing of a file that is no ELF file, or a damaged one."""
        try:
            return [one for one in _segments(self._elf) if one.kind == "PT_LOAD"]
        except UNREADABLE:
            return []

    @cached_property
    def lines(self) -> Lines:
        """Functions and lines of addresses."""
        return Lines(self.path, self.data)

    def code(self) -> Iterator[tuple[int, bytes]]:
        """The executable segments: where they are loaded, and their bytes."""
        for segment in self.segments:
            if segment.is_code:
                yield segment.start, self.data[segment.offset :][: segment.file_bytes]

    def returns_of(self, function: int) -> list[int]:
        """The instructions by which the function that begins at this address returns."""
        from rockcreek import _native

        for start, code in self.code():
            if start <= function < start + len(code):
                return list(_native.returns_of(code, start, function))
        return []

    def returns_from(self, names: Iterable[str]) -> list[int]:
        """The instructions behind all calls of these functions."""
        targets = {self.symbols[name] for name in names if name in self.symbols}
        found: list[int] = []
        for start, code in self.code() if targets else ():
            at = code.find(_CALL)
            while at >= 0:
                distance = int.from_bytes(code[at + 1 : at + _CALL_BYTES], "little", signed=True)
                behind = start + at + _CALL_BYTES
                if (behind + distance) & 0xFFFFFFFF in targets:
                    found.append(behind)
                at = code.find(_CALL, at + 1)
        return found

    def debug_units(self) -> Iterator[Any]:
        """The compilation units of the program's debug information, if it has any that can be
        read. Whoever reads their entries meets UNREADABLE."""
        sizes = {
            one.name: _size_of(one) for one in self._elf.iter_sections() if "debug_" in one.name
        }
        # One entry may have as many attributes as there are abbreviations, all of no byte.
        kinds = sizes.get(".debug_abbrev", 0) <= _LONGEST_ABBREVIATIONS
        if sizes and kinds and sum(sizes.values()) <= max(_LONGEST_TABLE, len(self.data)):
            yield from self._elf.get_dwarf_info().iter_CUs()

    def bytes_at(self, address: int, length: int) -> bytes:
        """The file's bytes that are loaded at this address; fewer where a segment ends."""
        for segment in self.segments:
            end = segment.start + segment.file_bytes
            if segment.start <= address < end:
                offset = segment.offset + address - segment.start
                return self.data[offset : offset + min(length, end - address)]
        return b""

    @cached_property
    def _code_spans(self) -> list[tuple[int, int]]:
        """Where the executable segments begin and end: profiles ask once for each address."""
        return [(one.start, one.start + one.memory_bytes) for one in self.segments if one.is_code]

    def is_constant(self, address: int) -> bool:
        """Whether a segment covers this address that the program must not write to."""
        return any(
            one.start <= address < one.start + one.memory_bytes and not one.is_writable
            for one in self.segments
        )

    def holds_code(self, address: int) -> bool:
        """Whether an executable segment covers this address."""
        return any(start <= address < end for start, end in self._code_spans)


def read(path: str | Path) -> Image:
    """The file as an image, headers unchecked."""
    path = Path(path)
    try:
        data = documents.first(path, MOST_BYTES + 1)
    except IsADirectoryError as error:
        raise InputError(
            f"{path}: is a folder, not a program", path=str(path), hint=_COMPILE_HINT
        ) from error
    except (OSError, ValueError) as error:
        # ValueError: a path that no file can have, with a NUL in it for example.
        raise NotFoundError(
            f"{path}: {getattr(error, 'strerror', None) or error}",
            path=str(path),
            hint=_hint_of_missing(str(path)),
        ) from error
    if len(data) > MOST_BYTES:
        raise InputError(
            f"{path}: is larger than {format_bytes(MOST_BYTES)}",
            path=str(path),
            hint="name a program: no core has so much memory",
        )
    return Image(path, data)


def _hint_of_missing(path: str) -> str:
    if path in resources.example_names():
        return f'it comes ready with the package: rck run "$(rck examples {path})"'
    return "check the path of the program; options of rck come before it"


def load_program(path: str | Path) -> Image:
    """A program that the chip can run, or the reason why this file is none."""
    image = read(path)
    if not image.data.startswith(b"\x7fELF"):
        _refuse(image, f"is not an ELF program{_looks_like(image.data)}")
    try:
        elf = image._elf
        header = elf.header
        machine, kind = header["e_machine"], header["e_type"]
        if machine != "EM_386" or elf.elfclass != 32:
            what = str(machine).removeprefix("EM_").replace("_", "-").lower()
            _refuse(image, f"is a program for {what} ({elf.elfclass} bits), not for the i586")
        if kind == "ET_REL":
            _refuse(image, "is an object file", "link it: `rck cc file.o -o prog`")
        kinds = {segment.kind for segment in _segments(elf)}
        if "PT_INTERP" in kinds or "PT_DYNAMIC" in kinds or kind == "ET_DYN":
            _refuse(
                image,
                "is dynamically linked (or position independent)",
                "link it statically: `rck cc` does; other compilers take -static -no-pie",
            )
        if kind != "ET_EXEC" or "PT_LOAD" not in kinds:
            _refuse(image, "is an ELF file, but not a program")
        _check_segments(image)
    except UNREADABLE as error:
        _refuse(image, f"is a damaged ELF file ({error})")
    return image


def _check_segments(image: Image) -> None:
    """What the kernel must be able to map: whole, in user space, no page twice."""
    loads = [one for one in image.segments if one.memory_bytes]
    taken = _USER_START
    for segment in sorted(loads, key=lambda segment: segment.start):
        start, offset = segment.start, segment.offset
        missing = offset + segment.file_bytes - len(image.data)
        if missing > 0:
            _refuse(image, f"is cut short ({missing} bytes are missing)", "build it again")
        end = start + segment.memory_bytes
        if start < _USER_START or end > _USER_END:
            _refuse(image, f"has a segment outside user space ({start:#010x} to {end:#010x})")
        if start - start % _PAGE < taken:
            _refuse(image, f"has overlapping segments at {start:#010x}")
        if (start - offset) % _PAGE or segment.file_bytes > segment.memory_bytes:
            _refuse(image, f"has a segment at {start:#010x} that cannot be mapped")
        taken = end + -end % _PAGE


def _looks_like(data: bytes) -> str:
    if not data:
        return " (the file is empty)"
    if data.startswith(b"#!"):
        return " (it is a script)"
    if data[:4] in (b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"):
        return " (it is a macOS program)"
    if all(byte in b"\t\n\r\f" or byte >= 32 for byte in data[:256]):
        return " (it looks like text)"
    return ""


def _refuse(image: Image, what: str, hint: str = _COMPILE_HINT) -> NoReturn:
    raise InputError(f"{image.path}: {what}", path=str(image.path), hint=hint)
