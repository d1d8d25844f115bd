"""Functions and lines of a program's addresses, as its symbols and debug information name them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rockcreek import printable
from rockcreek.printable import Place

if TYPE_CHECKING:
    from rockcreek import _native


class Lines:
    """What a file says of addresses, in names that are fit to be printed."""

    def __init__(self, path: Path, data: bytes) -> None:
        self._path, self._data = path, data
        self._has_warned = False

    @cached_property
    def _symbols(self) -> _native.Symbols:
        from rockcreek import _native

        return _native.Symbols(self._data)

    def places(self, addresses: Sequence[int]) -> list[Place]:
        """For each address function, source file and line."""
        if not addresses:
            return []
        found = self._symbols.places(list(addresses))
        self._warn_if_cut_short()
        return list(map(printable.place, found))

    def inlined(self, address: int) -> list[Place]:
        """The functions at an address: those that were put in place there come first."""
        found = self._symbols.inlined([address])[0]
        self._warn_if_cut_short()
        return list(map(printable.place, found))

    def _warn_if_cut_short(self) -> None:
        if self._symbols.is_cut_short and not self._has_warned:
            import logging

            self._has_warned = True
            logging.getLogger(__name__).warning(
                "rck: %s: its debug information is too much to read: some lines are unknown",
                printable.name(str(self._path)),
            )
