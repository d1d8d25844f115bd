"""What RCCE and iRCCE keep in guest memory: flags, communicators, locks, requests.

The layouts are those of the published headers (RCCE.h, iRCCE.h), which programs are compiled
against; the names of variables are our library's, and the original's where it has the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rockcreek.chip import Chip
from rockcreek.deadlocks import calls
from rockcreek.deadlocks.calls import Kind
from rockcreek.deadlocks.guest_memory import GuestMemory

# RCCE_COMM: size, my_rank, initialized, member[RCCE_MAXNP], gather, release.
_MAXNP = 48
_COMM_MEMBERS = 12
_COMM_GATHER = _COMM_MEMBERS + 4 * _MAXNP
_LINE = 32
# The two request types, alike up to here: privbuf, size, dest or source, sync, wsize, label,
# finished.
_REQUEST_WORDS = 7
_MOST_REQUESTS = 256
_WORLD = ("RCCE_COMM_WORLD", "RCCE_COMM_WORLD_bit")


@dataclass(frozen=True)
class Flag:
    """A flag in a message buffer."""

    ue: int  # in whose half
    offset: int  # from the beginning of that half
    bit: int | None
    wanted: int | None
    value: int | None
    variable: str | None  # of the program, that names it
    elsewhere: tuple[int, ...]  # UEs in whose halves the same flag has the value that is wanted


@dataclass(frozen=True)
class Group:
    """The members of a barrier or collective; two groups are equal if they mean the same one."""

    call: str
    members: tuple[int, ...]
    name: str
    key: int = 0


@dataclass(frozen=True)
class Request:
    """A message that was begun and is not finished."""

    kind: Kind
    peers: tuple[int, ...]
    any: bool
    size: int


class Tables:
    """The library's tables on the cores of one run."""

    def __init__(self, chip: Chip, cores: Sequence[int], memory: GuestMemory) -> None:
        self._chip = chip
        self._cores = cores
        self._memory = memory

    def _half(self, core: int) -> bytes:
        """A core's part of its tile's message buffer."""
        per_tile = self._chip.description.cores_per_tile
        tile, z = divmod(core, per_tile)
        data = self._chip.mpb(tile)
        length = len(data) // per_tile
        return data[z * length : (z + 1) * length]

    def _offset(self, core: int, address: int) -> int | None:
        """Where in a half of the message buffer a pointer of this core leads, and whose."""
        table = self._memory.symbols.address("RCCE_comm_buffer")
        own = self._cores.index(core)
        start = None if table is None else self._memory.word(core, table + 4 * own)
        offset = None if not start else address - start + _LINE
        return offset if offset is not None and 0 <= offset < len(self._half(core)) else None

    def flag(self, core: int, at: int, wanted: int | None, *, bit: bool) -> Flag | None:
        """The flag that stands at this place of the stack."""
        address = self._memory.word(core, at + 8 if bit else at)
        number = self._memory.signed(core, at) if bit else None
        offset = None if address is None else self._offset(core, address)
        if address is None or offset is None:
            return None
        values = [self._value(other, offset, number) for other in self._cores]
        own = self._cores.index(core)
        raised = tuple(ue for ue, value in enumerate(values) if value == wanted != 0 and ue != own)
        name = self._memory.variable_with(core, address, calls.LIBRARY)
        if bit and name is not None:
            name = name.partition("[")[0]
        return Flag(own, offset, number, wanted, values[own], name, raised)

    def _value(self, core: int, offset: int, bit: int | None) -> int | None:
        half = self._half(core)
        if bit is not None:
            return half[offset + bit // 8] >> bit % 8 & 1
        return int.from_bytes(half[offset : offset + 4], "little", signed=True)

    def communicator(self, core: int, address: int, *, bit: bool) -> Group | None:
        """An RCCE_COMM."""
        size = self._memory.signed(core, address)
        if size is None or not 0 < size <= len(self._cores):
            return None
        members: Sequence[int] | None = range(len(self._cores))
        if size <= _MAXNP:
            members = self._memory.words(core, address + _COMM_MEMBERS, size)
        gather = self._memory.words(core, address + _COMM_GATHER, 3 if bit else 1)
        if members is None or gather is None:
            return None
        offset = self._offset(core, gather[-1] & 0xFFFF_FFFF) or 0
        key = offset * 256 + gather[0] if bit else offset * 256
        name = self._memory.symbols.variable_at(address)
        if name in _WORLD:
            name = _WORLD[0]
        return Group("RCCE_barrier", tuple(members), name or f"a communicator of {size}", key)

    def group(self, core: int, address: int, *, bit: bool) -> Group | None:
        """A group of the collectives: size, own rank, members."""
        del bit
        words = self._memory.words(core, address, 3)
        if words is None or not 0 < words[0] <= len(self._cores):
            return None
        members = self._memory.words(core, words[2] & 0xFFFF_FFFF, words[0])
        if members is None:
            return None
        return Group("RCCE_coll_barrier", tuple(members), f"a group of {words[0]}")

    def lock_holders(self, ue: int) -> tuple[int, ...]:
        """The UEs that remember to have taken this UE's lock."""
        found = []
        for rank, core in enumerate(self._cores):
            table = self._memory.variable(core, "rcce_lock_mine")
            if table and self._memory.byte(core, table + ue) == 1:
                found.append(rank)
        return tuple(found)

    def requests(self, core: int, address: int, call: str, ues: int) -> list[Request]:
        """The requests for which a call of iRCCE still waits."""
        if call not in calls.LISTS:
            kind = Kind.RECEIVE if call == "iRCCE_irecv_wait" else Kind.SEND
            one = self._request(core, address, kind, ues)
            return [] if one is None else [one]
        found = []
        item = self._memory.word(core, address)
        for _ in range(_MOST_REQUESTS):
            words = self._memory.words(core, item, 3) if item else None
            if words is None:
                break
            kind = Kind.SEND if words[0] else Kind.RECEIVE
            one = self._request(core, words[2] & 0xFFFF_FFFF, kind, ues)
            if one is not None:
                found.append(one)
            item = words[1] & 0xFFFF_FFFF
        return found

    def _request(self, core: int, address: int, kind: Kind, ues: int) -> Request | None:
        words = self._memory.words(core, address, _REQUEST_WORDS) if address else None
        if words is None or words[6]:
            return None
        peer, own = words[2], self._cores.index(core)
        some = peer not in range(ues)
        peers = tuple(ue for ue in range(ues) if ue != own) if some else (peer,)
        return Request(kind, peers, some, words[1])
