"""Damaged ELF files: refused with a reason, or loaded without their symbols; never a traceback."""

from __future__ import annotations

import random
from io import BytesIO
from pathlib import Path

from elftools.elf.elffile import ELFFile

from rockcreek.checking import variables
from rockcreek.errors import InputError
from rockcreek.software.image import load_program

HEADERS_BYTES = 52 + 32 * 6


def damaged(program: bytes, seed: int) -> bytes:
    """The program with a few bytes changed, mostly in its headers, or cut short."""
    rnd = random.Random(seed)
    data = bytearray(program)
    for _ in range(rnd.choice((1, 3, 10))):
        within = HEADERS_BYTES if rnd.random() < 0.8 else len(data)
        data[rnd.randrange(within)] = rnd.randrange(256)
    return bytes(data[: rnd.randrange(len(data))] if rnd.random() < 0.2 else data)


def test_damaged_programs(guest, tmp_path: Path) -> None:
    program = Path(guest("int main(void) { return 0; }\n")).read_bytes()
    file = tmp_path / "damaged"
    refused = 0
    for seed in range(400):
        file.write_bytes(damaged(program, seed))
        try:
            image = load_program(file)
        except InputError as error:
            refused += 1
            assert str(file) in str(error)
        else:
            assert isinstance(image.has_our_note, bool)
            assert isinstance(image.symbols, dict)
    assert 100 < refused < 400


def test_damaged_debug_information(guest, tmp_path: Path) -> None:
    """Names come without it: whatever is wrong with a unit, an entry or an abbreviation."""
    file = tmp_path / "damaged"
    program = Path(guest("int main(void) { return 0; }\n", ["-g"])).read_bytes()
    elf = ELFFile(BytesIO(program))
    main = elf.get_section_by_name(".symtab").get_symbol_by_name("main")[0]["st_value"]
    for name in (".debug_info", ".debug_abbrev"):
        section = elf.get_section_by_name(name)
        start, size = section["sh_offset"], min(section["sh_size"], 128)
        for offset in range(size):
            for value in (0, 0x7F, 0xFF):
                data = bytearray(program)
                data[start + offset] = value
                file.write_bytes(bytes(data))
                assert variables.argument(load_program(file), main, 1, 4) is None
