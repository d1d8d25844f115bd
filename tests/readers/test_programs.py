"""Programs whose headers, symbols and debug information are made to hold their reader for ever, or
to take the host's memory: they are read in a moment, or refused."""

from __future__ import annotations

import resource
import signal
import struct
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from guest_programs import compile_program
from rockcreek._native import demangle
from rockcreek.checking import variables
from rockcreek.errors import InputError
from rockcreek.software.image import Image, load_program, read

_SECTION_BYTES = 40
# Places in an ELF header and a section header (System V ABI).
_E_PHOFF, _E_SHOFF, _E_PHENTSIZE, _E_PHNUM = 28, 32, 42, 44
_SH_TYPE, _SH_FLAGS, _SH_OFFSET, _SH_SIZE, _SH_INFO = 4, 8, 16, 20, 28
_NOBITS, _COMPRESSED = 8, 1 << 11
_MB = 1 << 20
_SECONDS = 10  # of the processor


@pytest.fixture(autouse=True)
def soon() -> Iterator[None]:
    """A reader that does not end is stopped."""

    def stop(number: int, frame: object) -> None:
        pytest.fail(f"the reader takes more than {_SECONDS} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    source = tmp_path_factory.mktemp("source") / "a.c"
    source.write_text("int main(void) { return 0; }\n")
    return compile_program(source, ["-g"]).read_bytes()


def _main(data: bytes) -> int:
    table = ELFFile(BytesIO(data)).get_section_by_name(".symtab")
    assert isinstance(table, SymbolTableSection)
    return int(table.get_symbol_by_name("main")[0]["st_value"])


def _place(data: bytes, name: str) -> tuple[int, int]:
    """Where a section lies, and where its header."""
    elf = ELFFile(BytesIO(data))
    number = elf.get_section_index(name)
    assert number is not None
    return elf.get_section(number)["sh_offset"], elf["e_shoff"] + number * _SECTION_BYTES


def _unnamed(changed: bytearray, folder: Path) -> None:
    """The program is read as one without names of parameters, soon and in little memory."""
    path = folder / "hostile"
    path.write_bytes(changed)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert variables.argument(load_program(path), _main(bytes(changed)), 1, 4) is None
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 256 * _MB // 1024


def test_entries_that_call_themselves_their_siblings(good: bytes, tmp_path: Path) -> None:
    info, abbreviations = _place(good, ".debug_info")[0], _place(good, ".debug_abbrev")[0]
    changed = bytearray(good)
    # 1: a unit with children; 2: a function with children and DW_AT_sibling, DW_FORM_ref4.
    table = bytes((1, 0x11, 1, 0, 0, 2, 0x2E, 1, 1, 0x13, 0, 0, 0))
    first = 12  # behind the header of a unit of version 4 and the unit's own entry
    unit = struct.pack("<HIB", 4, 0, 4) + b"\x01" + b"\x02" + struct.pack("<I", first) + bytes(3)
    changed[abbreviations : abbreviations + len(table)] = table
    changed[info : info + 4 + len(unit)] = struct.pack("<I", len(unit)) + unit
    _unnamed(changed, tmp_path)


@pytest.mark.parametrize("kind", [None, _NOBITS], ids=["compressed", "zeros"])
def test_debug_information_of_gigabytes(good: bytes, tmp_path: Path, kind: int | None) -> None:
    changed = bytearray(good)
    _, header = _place(good, ".debug_str")
    if kind is None:
        packing = zlib.compressobj(9)
        packed = b"".join(packing.compress(bytes(_MB)) for _ in range(512)) + packing.flush()
        held = struct.pack("<III", 1, 512 * _MB, 1) + packed
        struct.pack_into("<I", changed, header + _SH_FLAGS, _COMPRESSED)
        struct.pack_into("<II", changed, header + _SH_OFFSET, len(changed), len(held))
        changed += held
    else:
        struct.pack_into("<I", changed, header + _SH_TYPE, kind)
        struct.pack_into("<I", changed, header + _SH_SIZE, 0x7FFFFFFF)
    _unnamed(changed, tmp_path)


def test_four_billion_segments(good: bytes, tmp_path: Path) -> None:
    changed = bytearray(good)
    sections = struct.unpack_from("<I", changed, _E_SHOFF)[0]
    struct.pack_into("<I", changed, sections + _SH_INFO, 0xFFFFFFFF)
    struct.pack_into("<I", changed, _E_PHOFF, 0)
    struct.pack_into("<HH", changed, _E_PHENTSIZE, 0, 0xFFFF)
    path = tmp_path / "hostile"
    path.write_bytes(changed)
    with pytest.raises(InputError, match="damaged ELF file"):
        load_program(path)
    assert read(path).bytes_at(0x08049000, 4) == b""


def test_names_that_lie_within_one_another(good: bytes, tmp_path: Path) -> None:
    """50,000 symbols, each with a name of up to 50,000 bytes in a table of as many."""
    count = 50_000
    names = b"\0" + b"a" * count + b"\0"
    symbols = b"".join(
        struct.pack("<IIIBBH", n + 1, 0x08049000 + n, 1, 2, 0, 1) for n in range(count)
    )
    changed = bytearray(good)
    for section, held in ((".strtab", names), (".symtab", symbols)):
        _, header = _place(good, section)
        struct.pack_into("<II", changed, header + _SH_OFFSET, len(changed), len(held))
        changed += held
    path = tmp_path / "hostile"
    path.write_bytes(changed)
    assert load_program(path).functions == []


def test_an_image_that_is_no_program_has_no_code() -> None:
    for data in (b"", b"\x7fELF", b"MZ" + bytes(4096)):
        image = Image(Path("image"), data)
        assert (list(image.code()), image.symbols, image.bytes_at(0, 9)) == ([], {}, b"")
        assert not image.holds_code(0) and image.returns_from(("main",)) == []


def test_a_name_whose_parts_refer_to_one_another() -> None:
    """A name of C++ of some 290 bytes, which stands for 100 million times A<int>."""
    levels = "".join(f"S_I{f'S{level}_' * 10}E" for level in range(8))
    name = f"_Z1f1AIiE{levels}"
    assert demangle([name, "_Z1f1AIiE"]) == [name, "f(A<int>)"]
