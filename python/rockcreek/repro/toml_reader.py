"""Reads a TOML table strictly: every key has a type, and a key that nobody reads is an error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rockcreek.errors import InputError
from rockcreek.reading import documents
from rockcreek.reading.documents import Table

_MISSING = object()


def load(path: Path) -> Table:
    """The values of a TOML file."""
    return documents.toml(path)


class Reader:
    """One table of a file; `done` complains about keys that were not asked for."""

    def __init__(self, path: Path, values: Table, where: str = "") -> None:
        self._path = path
        self._values = values
        self._where = where
        self._read: set[str] = set()

    def error(self, what: str, hint: str | None = None) -> InputError:
        """An error that names this file and this table."""
        return InputError(f"{self._path}: {self._where}{what}", path=str(self._path), hint=hint)

    def any(self, key: str, default: Any = _MISSING) -> Any:
        """A value of any type."""
        self._read.add(key)
        if key in self._values:
            return self._values[key]
        if default is _MISSING:
            raise self.error(f"{key} is missing")
        return default

    def text(self, key: str, default: str | None = None) -> str:
        """A string; without a default it must be there and not be empty."""
        value = self.any(key, _MISSING if default is None else default)
        if not isinstance(value, str) or (default is None and not value.strip()):
            raise self.error(f"{key}: {value!r} is not a text")
        return value

    def number(self, key: str, default: float) -> float:
        """A number above zero."""
        value = self.any(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
            raise self.error(f"{key}: {value!r} is not a positive number")
        return float(value)

    def flag(self, key: str, *, default: bool = False) -> bool:
        """true or false."""
        value = self.any(key, default)
        if not isinstance(value, bool):
            raise self.error(f"{key}: {value!r} is neither true nor false")
        return value

    def integers(self, key: str) -> list[int]:
        """A list of whole numbers, by default empty."""
        value = self.any(key, [])
        if not isinstance(value, list) or any(type(item) is not int for item in value):
            raise self.error(f"{key}: {value!r} is not a list of whole numbers")
        return value

    def texts(self, key: str) -> list[str]:
        """A list of strings, by default empty."""
        value = self.any(key, [])
        if not isinstance(value, list) or any(not isinstance(item, str) for item in value):
            raise self.error(f"{key}: {value!r} is not a list of texts")
        return value

    def table(self, key: str) -> Reader:
        """A table inside this one, by default empty."""
        return Reader(self._path, self._mapping(key), f"{self._where}{key}.")

    def tables(self, key: str) -> list[Reader]:
        """An array of tables, by default empty."""
        value = self.any(key, [])
        if not isinstance(value, list) or any(not isinstance(item, dict) for item in value):
            raise self.error(f"{key}: write it as [[{key}]]")
        return [
            Reader(self._path, item, f"{self._where}{key}[{index}].")
            for index, item in enumerate(value)
        ]

    def named(self, key: str) -> dict[str, Reader]:
        """A table of tables: [key.name]."""
        return {
            name: Reader(self._path, self._as_table(value, name), f"{self._where}{key}.{name}.")
            for name, value in self._mapping(key).items()
        }

    def keys_present(self) -> list[str]:
        """The keys of this table."""
        return list(self._values)

    def done(self) -> None:
        """Complain about the first key that nobody has read."""
        from rockcreek.printable import nearest

        for key in self._values:
            if key not in self._read:
                raise self.error(f"{key} is not known{nearest(key, sorted(self._read))}")

    def _mapping(self, key: str) -> Table:
        return self._as_table(self.any(key, {}), key)

    def _as_table(self, value: Any, key: str) -> Table:
        if not isinstance(value, dict):
            raise self.error(f"{key} is not a table")
        return value
