"""The registers of a tile by name, from the same tables as the engine's code."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NotRequired, TypedDict

from rockcreek.errors import UsageError


@dataclass(frozen=True)
class Field:
    """Some bits of a register."""

    name: str
    lsb: int
    bits: int
    title: str
    extension: bool = False  # not on the SCC

    @property
    def mask(self) -> int:
        return ((1 << self.bits) - 1) << self.lsb

    def of(self, value: int) -> int:
        return (value & self.mask) >> self.lsb


class _FieldEntry(TypedDict):
    """A field, as its table in machine/registers has it."""

    name: str
    lsb: int
    bits: int
    title: str
    extension: NotRequired[bool]


class _Entry(TypedDict):
    """A register, or `count` of them that lie `stride` bytes apart."""

    name: str
    offset: int
    title: str
    fields: list[_FieldEntry]
    count: NotRequired[int]
    stride: NotRequired[int]
    extension: NotRequired[bool]


@dataclass(frozen=True)
class Register:
    """One register of a block; one of several has its number behind its name: GLCFG1."""

    name: str
    offset: int
    title: str
    fields: tuple[Field, ...]
    extension: bool = False  # not on the SCC

    def values(self, value: int) -> dict[str, int]:
        """The fields of a value; reserved ones and extensions only if they are not zero."""
        parts = [(field, field.of(value)) for field in self.fields]
        hidden = [field for field, _ in parts if field.extension or "RESERVED" in field.name]
        return {field.name: part for field, part in parts if part or field not in hidden}

    def with_field(self, value: int, name: str, part: int) -> int:
        """`value` with another field."""
        for field in self.fields:
            if field.name == name.upper():
                if not 0 <= part < 1 << field.bits:
                    raise UsageError(
                        f"{self.name}.{field.name} has {field.bits} bits",
                        hint=f"values are 0 to {(1 << field.bits) - 1}",
                    )
                return value & ~field.mask | part << field.lsb
        known = ", ".join(field.name for field in self.fields)
        raise UsageError(f"{self.name} has no field {name}", hint=f"its fields: {known}")


@cache
def block(name: str) -> tuple[Register, ...]:
    """All registers of a block (`crb`, `lut`) by offset."""
    from rockcreek import _native

    table = tomllib.loads(dict(_native.register_tables())[name])
    found = [one for entry in table["register"] for one in _expand(entry)]
    return tuple(sorted(found, key=lambda register: register.offset))


def find(name: str) -> Register:
    """The configuration register of this name."""
    for register in block("crb"):
        if register.name == name.upper():
            return register
    known = ", ".join(register.name for register in block("crb"))
    raise UsageError(f"there is no configuration register {name}", hint=f"there are {known}")


def _expand(entry: _Entry) -> Iterator[Register]:
    fields = tuple(
        Field(one["name"], one["lsb"], one["bits"], one["title"], one.get("extension", False))
        for one in entry["fields"]
    )
    count = entry.get("count", 1)
    for number in range(count):
        name = entry["name"] + (str(number) if count > 1 else "")
        offset = entry["offset"] + number * entry.get("stride", 0)
        yield Register(name, offset, entry["title"], fields, entry.get("extension", False))
