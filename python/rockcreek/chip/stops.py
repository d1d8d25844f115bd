"""Functions that are called at accesses to memory and at code, with the chip stopped at the very
instant. They take no simulated time and change nothing."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

from rockcreek.errors import UsageError

if TYPE_CHECKING:
    from rockcreek import _native as native
    from rockcreek.description import Description

AccessKind = Literal["write", "read", "access"]
_KINDS = ("write", "read", "access")
_ADDRESSES = 1 << 32


@dataclass(frozen=True)
class Access:
    """An access to watched bytes; `access` where reads and writes are watched."""

    kind: AccessKind
    time_ps: int
    core: int
    address: int  # linear, of the first watched byte that it met
    eip: int  # behind the instruction


@dataclass(frozen=True)
class Reached:
    """A core is about to execute an instruction for which it stops."""

    time_ps: int
    core: int
    eip: int
    esp: int


@dataclass(frozen=True)
class _Watched:
    call: Callable[[Access], object]
    start: int
    length: int
    kind: AccessKind
    cores: frozenset[int]

    def meets(self, core: int, address: int, kind: str) -> bool:
        inside = self.start <= address < self.start + self.length
        return core in self.cores and kind == self.kind and inside


@dataclass(frozen=True)
class _Code:
    call: Callable[[Reached], object]
    addresses: frozenset[int]
    cores: frozenset[int]


class ChipStops:
    """The part of `Chip` that stops for observers."""

    description: Description
    _native: native.Chip
    _watched: list[_Watched]
    _code: list[_Code]

    @property
    @abstractmethod
    def time_ps(self) -> int: ...

    def _stop_nowhere(self) -> None:
        self._watched = []
        self._code = []

    def observe_accesses(
        self,
        call: Callable[[Access], object],
        address: int,
        length: int = 4,
        *,
        kind: AccessKind = "write",
        cores: Iterable[int] | None = None,
    ) -> None:
        """Call a function behind each access to these bytes: `write`, `read`, or `access` (both).

        Addresses are linear; `cores`: of these cores alone. The chip stands at the access.
        """
        if kind not in _KINDS:
            raise UsageError(f"there is no access {kind!r}", hint=f"there are {', '.join(_KINDS)}")
        if not (0 <= address < _ADDRESSES and 0 < length <= _ADDRESSES - address):
            raise UsageError(
                f"{length} bytes at {address:#x} are not in the address space of a core",
                hint="take the address of a symbol: rockcreek.software.image.read(FILE).symbols",
            )
        among = self._among(cores)
        for core in among:
            self._native.set_watchpoint(core, address, length, kind, True)
        self._watched.append(_Watched(call, address, length, kind, among))

    def observe_code(
        self,
        call: Callable[[Reached], object],
        addresses: Iterable[int],
        cores: Iterable[int] | None = None,
    ) -> None:
        """Call a function before each instruction at these linear addresses; the chip stands."""
        code = _Code(call, frozenset(addresses), self._among(cores))
        for core in code.cores:
            for address in code.addresses:
                self._native.set_breakpoint(core, address, True)
        self._code.append(code)

    def _among(self, cores: Iterable[int] | None) -> frozenset[int]:
        every = range(self.description.core_count)
        among = frozenset(every if cores is None else cores)
        if wrong := sorted(among - set(every)):
            raise UsageError(f"there is no core {wrong[0]}", hint=f"cores are 0 to {every[-1]}")
        return among

    def _tell_stop(self) -> None:
        """A run has returned for a stop: call whoever asked for it."""
        stop = self._native.broken()
        if stop is None:
            return
        core, eip, stack, hit = stop
        if hit is not None:
            kind, address = hit
            event = Access(cast("AccessKind", kind), self.time_ps, core, address, eip)
            for watched in self._watched:
                if watched.meets(core, address, kind):
                    watched.call(event)
        for code in self._code:
            if eip in code.addresses and core in code.cores:
                code.call(Reached(self.time_ps, core, eip, stack))
