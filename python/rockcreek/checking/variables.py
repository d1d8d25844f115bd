"""Names of a program's variables: by its symbols, and by its debug information for those that a
parallel region shares with the function around it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Any

from rockcreek.software.image import UNREADABLE, Image

# Clang gives the function of a region the thread's numbers first; then what it shares.
_NUMBERS = 2


def at(program: Image, address: int) -> str | None:
    """The variable that has this byte, and the byte's offset in it."""
    variables = program.variables
    end = bisect_right(variables, address, key=lambda variable: variable[0])
    for start, size, name in reversed(variables[:end]):
        if address < start + size:
            return f"`{name}`" + (f" + {address - start}" if address != start else "")
    return None


def argument(program: Image, functions: Iterable[int], number: int) -> str | None:
    """What argument `number` (from 1 on; 0: none) of a parallel region's function is called."""
    for function in functions if number else ():
        names = _parameters(program, function)
        if _NUMBERS + number <= len(names):
            return names[_NUMBERS + number - 1]
    return None


def _parameters(program: Image, function: int) -> list[str | None]:
    """The names of the parameters of the function that begins here."""
    try:
        return next(
            (
                [_name(child) for child in die.iter_children() if _is_parameter(child)]
                for unit in program.debug_units()
                for die in unit.get_top_DIE().iter_children()
                if die.tag == "DW_TAG_subprogram" and _value(die, "DW_AT_low_pc") == function
            ),
            [],
        )
    except UNREADABLE:
        return []


def _is_parameter(die: Any) -> bool:
    return bool(die.tag == "DW_TAG_formal_parameter")


def _value(die: Any, name: str) -> Any:
    return die.attributes[name].value if name in die.attributes else None


def _name(die: Any) -> str | None:
    value = _value(die, "DW_AT_name")
    return value.decode(errors="replace") if isinstance(value, bytes) else None
