"""Guest memory by symbols: words, tables, functions and variables of a program on its cores."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from rockcreek.chip import Chip
from rockcreek.software.image import Image

_SIGN = 1 << 31
# Larger variables are no flags, and no arrays of a few.
_VARIABLE_BYTES_MAX = 4096


class Symbols:
    """Which function an address is in, and which variables there are."""

    def __init__(self, image: Image) -> None:
        self._image = image

    @cached_property
    def _starts(self) -> tuple[list[int], dict[int, list[str]]]:
        names: dict[int, list[str]] = {}
        for name, address in self._image.symbols.items():
            names.setdefault(address, []).append(name)
        return sorted(names), names

    def address(self, name: str) -> int | None:
        return self._image.symbols.get(name)

    def functions_at(self, address: int) -> list[str]:
        """The names of the function that this code belongs to; several may share one place."""
        starts, names = self._starts
        index = bisect_right(starts, address) - 1
        return names[starts[index]] if index >= 0 else []

    def variable_at(self, address: int) -> str | None:
        """`name`, or `name+8`, of the variable that holds this address."""
        for start, size, name in self._image.variables:
            if start <= address < start + size:
                return name if address == start else f"{name}+{address - start}"
        return None


class GuestMemory:
    """Reads what a core of the program sees; nothing is None where nothing is mapped."""

    def __init__(self, chip: Chip, program: Image) -> None:
        self._chip = chip
        self._program = program
        self.symbols = Symbols(program)

    def word(self, core: int, address: int) -> int | None:
        data = self._chip.read_linear(core, address, 4) if 0 < address < 1 << 32 else None
        return int.from_bytes(data, "little") if data is not None and len(data) == 4 else None

    def signed(self, core: int, address: int) -> int | None:
        value = self.word(core, address)
        return None if value is None else (value ^ _SIGN) - _SIGN

    def words(self, core: int, address: int, count: int) -> list[int] | None:
        """So many signed words."""
        found = [self.signed(core, address + 4 * n) for n in range(count)]
        return None if None in found else [value for value in found if value is not None]

    def byte(self, core: int, address: int) -> int | None:
        data = self._chip.read_linear(core, address, 1) if 0 < address < 1 << 32 else None
        return data[0] if data else None

    def variable(self, core: int, name: str) -> int | None:
        """The word that this global variable holds."""
        address = self.symbols.address(name)
        return None if address is None else self.word(core, address)

    def variable_with(self, core: int, value: int, skip: tuple[str, ...]) -> str | None:
        """The global variable, or element of one, that holds this word; none of these prefixes."""
        for start, size, name in self._program.variables:
            if size > _VARIABLE_BYTES_MAX or size % 4 or start % 4 or name.startswith(skip):
                continue
            data = self._chip.read_linear(core, start, size)
            if data is None:
                continue
            for at in range(0, size, 4):
                if int.from_bytes(data[at : at + 4], "little") == value:
                    return name if size == 4 else f"{name}[{at // 4}]"
        return None
