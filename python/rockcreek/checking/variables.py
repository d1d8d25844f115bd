"""Names of a program's variables: by its symbols, and by its debug information for those that a
parallel region shares with the function around it."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from elftools.common.exceptions import DWARFError
from elftools.dwarf.die import DIE

from rockcreek.software.image import UNREADABLE, Image

# Clang gives the function of a region the thread's numbers first; then what it shares.
_NUMBERS = 2
_WORD = 4
_READING_S = 2.0  # of the processor, for one program; large ones take a tenth of a second
_MOST = 1 << 20  # elements of an array whose length is not known before the run


def at(program: Image, address: int) -> str | None:
    """The variable that has this byte, and the byte's offset in it."""
    variables = program.variables
    end = bisect_right(variables, address, key=lambda variable: variable[0])
    for start, size, name in reversed(variables[:end]):
        if address < start + size:
            shown = _as_written(name)
            return f"`{shown}`" + (f" + {address - start}" if address != start else "")
    return None


def _as_written(name: str) -> str:
    """Without what Clang adds: `main.a` is the static variable `a` of `main`, `a.1` the second."""
    first, _, rest = name.partition(".")
    inner = rest.partition(".")[0]
    return inner if inner.isidentifier() else first or name


def argument(program: Image, function: int, number: int, offset: int) -> str | None:
    """What argument `number` (from 0 on) of a parallel region's function is called, if what it
    points to has a byte at this offset."""
    parameters = _functions_of(program).parameters(function)
    if _NUMBERS + number >= len(parameters):
        return None
    name, size = parameters[_NUMBERS + number]
    return name if offset < size else None


@lru_cache(maxsize=2)
def _functions_of(program: Image) -> _Functions:
    return _Functions(program)


class _Functions:
    """The functions of a program's debug information. It is read as far as somebody asks, and not
    for ever: its entries may refer to one another as they like."""

    def __init__(self, program: Image) -> None:
        self._known: dict[int, DIE] = {}
        self._more = self._functions(program)
        self._left_s = _READING_S
        self._until_s = 0.0

    def parameters(self, function: int) -> list[tuple[str | None, int]]:
        """The names of the parameters of the function that begins here, and the sizes of what they
        point to; none if the debug information does not have it."""
        self._until_s = time.thread_time() + self._left_s
        try:
            while function not in self._known:
                start, die = next(self._more)
                self._known.setdefault(start, die)
            return [
                (_name(child), self._size(_type(_type(child))))
                for child in self._children(self._known[function])
                if _is_parameter(child)
            ]
        except (*UNREADABLE, StopIteration):
            return []
        finally:
            self._left_s = self._until_s - time.thread_time()

    def _functions(self, program: Image) -> Iterator[tuple[int, DIE]]:
        for unit in program.debug_units():
            self._check_time()
            for die in self._children(unit.get_top_DIE()):
                start = _value(die, "DW_AT_low_pc")
                if die.tag == "DW_TAG_subprogram" and start is not None:
                    yield start, die

    def _check_time(self) -> None:
        if time.thread_time() > self._until_s:
            raise DWARFError("too much debug information")

    def _children(self, parent: DIE) -> Iterator[DIE]:
        """The entries within this one, in the order of their places. pyelftools' own way follows
        what entries say of their siblings' places, and some say that it is their own."""
        at, end = parent.offset + parent.size, parent.cu.cu_offset + parent.cu.size
        depth = 1 if parent.has_children else 0
        while depth and at < end:
            self._check_time()
            die = DIE(parent.cu, parent.stream, at)
            if depth == 1 and not die.is_null():
                yield die
            depth += -1 if die.is_null() else 1 if die.has_children else 0
            at += die.size

    def _size(self, type_: Any) -> int:
        """Bytes of a type; those of a word where that is not known."""
        if type_ is None:
            return _WORD
        size = _value(type_, "DW_AT_byte_size")
        if size is not None:
            return int(size)
        if type_.tag != "DW_TAG_array_type":
            return self._size(_type(type_))
        count = 1
        for part in self._children(type_):
            bound = _value(part, "DW_AT_count")
            if bound is None:
                bound = (_value(part, "DW_AT_upper_bound") or 0) + 1
            count *= bound if isinstance(bound, int) else _MOST
        return count * self._size(_type(type_))


def _is_parameter(die: Any) -> bool:
    return bool(die.tag == "DW_TAG_formal_parameter")


def _type(die: Any) -> Any:
    return die.get_DIE_from_attribute("DW_AT_type") if die and _has_type(die) else None


def _has_type(die: Any) -> bool:
    return "DW_AT_type" in die.attributes


def _value(die: Any, name: str) -> Any:
    return die.attributes[name].value if name in die.attributes else None


def _name(die: Any) -> str | None:
    value = _value(die, "DW_AT_name")
    return value.decode(errors="replace") if isinstance(value, bytes) else None
