"""What each core of a stopped run waits for: its call, the arguments, and on whom it depends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rockcreek.chip import Chip
from rockcreek.deadlocks import calls
from rockcreek.deadlocks.calls import Call, Kind
from rockcreek.deadlocks.guest_memory import GuestMemory, Symbols
from rockcreek.deadlocks.rcce_tables import Flag, Group, Tables
from rockcreek.inspection.backtrace import Frame, Level, Place
from rockcreek.software.image import Image


@dataclass(frozen=True)
class Wait:
    """A core that had not ended, and what keeps it."""

    core: int
    rank: int
    kind: Kind
    call: str  # what the program, or a library for it, called
    part_of: str | None = None  # the library's call that the program made, if that is another one
    place: Frame | None = None  # where in the program
    since_ps: int | None = None
    peers: tuple[int, ...] = ()  # UEs
    any: bool = False  # one of them is enough
    size: int | None = None
    flag: Flag | None = None
    group: Group | None = None
    lock: int | None = None  # the UE whose register it is
    calls_made: int | None = None  # so often this call was made by this core
    asks: tuple[str, int, bool] | None = None  # the request under way: unit, offset, is a read
    state: str = "running"
    tag: int | None = None  # of a message of MPI; negative: any
    comm: int | None = None  # its handle


@dataclass(frozen=True)
class _Found:
    call: Call
    name: str
    bit: bool
    level: Level


class Waits:
    """Reads the waits of the cores of one run; their order is that of the ranks."""

    def __init__(self, chip: Chip, cores: Sequence[int], kernel: Image, program: Image) -> None:
        self._chip = chip
        self._rank = {core: rank for rank, core in enumerate(cores)}
        self._symbols = Symbols(program)
        self._kernel = Symbols(kernel)
        self._memory = GuestMemory(chip, program)
        self.tables = Tables(chip, cores, self._memory)

    def of(self, place: Place) -> Wait:
        """What the core of this place waits for."""
        frames = {frame.eip: frame for frame in place.frames}
        levels = [level for level in place.program if level.eip in frames]
        found = self._call(levels)
        user = self._user_level(levels[levels.index(found.level) :] if found else levels)
        wait = self._wait(place, found, self._outermost(levels, found))
        asks = self._chip.core(place.core).get("asks")
        here = None if user is None else frames[user.eip]
        return replace(wait, place=here, asks=asks, state=place.state)

    def _names(self, level: Level) -> list[str]:
        return self._symbols.functions_at(level.eip)

    def _user_level(self, levels: Sequence[Level]) -> Level | None:
        """The innermost level that is neither the libraries' nor a system call's."""
        for level in levels:
            names = self._names(level)
            if not any(calls.is_library(name) or _is_system_call(name) for name in names):
                return level
        return levels[-1] if levels else None

    def _known(self, level: Level) -> _Found | None:
        for name in self._names(level):
            known = calls.known(name)
            if known is not None and level.base:
                return _Found(known[0], name, known[1], level)
        return None

    def _call(self, levels: Sequence[Level]) -> _Found | None:
        """The innermost call that says what is waited for."""
        known = [found for level in levels if (found := self._known(level))]
        if not known:
            return None
        if known[0].call.is_weak:
            for found in known[1:]:
                if found.call.kind in (Kind.RECEIVE, Kind.SEND, Kind.BARRIER):
                    return found
        return known[0]

    def _outermost(self, levels: Sequence[Level], found: _Found | None) -> str | None:
        """The library's call that the program itself made, if it is not the one that was found."""
        last: str | None = None
        for level in levels:
            names = [name for name in self._names(level) if calls.is_library(name)]
            if names:
                last = names[0]
        return None if last is None or found is None or last == found.name else _label(last)

    def _wait(self, place: Place, found: _Found | None, part_of: str | None) -> Wait:
        core, rank = place.core, self._rank[place.core]
        mail = self._kernel_mail(place)
        if mail is not None:
            kind, peers = mail
            name = found.name if found else "write" if kind == Kind.MAIL_SEND else "read"
            wait = Wait(core, rank, kind, _label(name), part_of, peers=peers)
            wait = self._times(replace(wait, any=kind == Kind.MAIL_RECEIVE), name)
            if found is None or found.call.size is None:
                return wait
            at = found.level.argument(found.call.size)
            return replace(wait, size=self._memory.signed(core, at))
        if found is None:
            return Wait(core, rank, Kind.OTHER, "")
        wait = Wait(core, rank, found.call.kind, _label(found.name), part_of)
        return self._with_arguments(self._times(wait, found.name), found)

    def _with_arguments(self, wait: Wait, found: _Found) -> Wait:
        call, core = found.call, wait.core

        def argument(number: int | None) -> int | None:
            if number is None:
                return None
            return self._memory.signed(core, found.level.argument(number))

        size, peer = argument(call.size), argument(call.peer)
        if call.comm is not None:
            wait = replace(wait, tag=argument(call.tag), comm=argument(call.comm))
        if wait.comm is not None and wait.comm != calls.MPI_WORLD:
            return wait
        if wait.comm is not None and call.kind in (Kind.BARRIER, Kind.COLLECTIVE):
            members = tuple(self._rank.values())
            return replace(wait, group=Group("MPI_COMM_WORLD", members, "MPI_COMM_WORLD"))
        if call.kind in (Kind.RECEIVE, Kind.SEND, Kind.MAIL_SEND):
            peers, some = self._ues(peer, wait.rank)
            return replace(wait, size=size, peers=peers, any=some)
        if call.kind == Kind.LOCK:
            holders = () if peer is None else self.tables.lock_holders(peer)
            return replace(wait, lock=peer, peers=holders)
        if call.kind == Kind.FLAG and call.flag is not None and call.status is not None:
            at = found.level.argument(call.flag)
            status = argument(call.status + (2 if found.bit else 0))
            return replace(wait, flag=self.tables.flag(core, at, status, bit=found.bit))
        if call.kind in (Kind.BARRIER, Kind.SIGNAL):
            return self._in_group(wait, found, argument(call.group), argument(call.rank))
        if call.kind == Kind.REQUEST:
            return self._requests(wait, found, argument(call.request))
        return wait

    def _ues(self, peer: int | None, own: int) -> tuple[tuple[int, ...], bool]:
        if peer is not None and peer in range(len(self._rank)):
            return (peer,), False
        return tuple(ue for ue in self._rank.values() if ue != own), True

    def _in_group(self, wait: Wait, found: _Found, address: int | None, rank: int | None) -> Wait:
        if found.call.group is None:
            members = tuple(self._rank.values())
            return replace(wait, group=Group(found.name, members, "all UEs"))
        if address is None:
            return wait
        address &= 0xFFFF_FFFF
        is_comm = found.call.name == "RCCE_barrier"
        read = self.tables.communicator if is_comm else self.tables.group
        group = read(wait.core, address, bit=found.bit)
        if group is None or wait.kind == Kind.BARRIER:
            return replace(wait, group=group)
        there = rank is not None and 0 <= rank < len(group.members)
        peers = (group.members[rank or 0],) if there else ()
        return replace(wait, group=group, peers=peers)

    def _requests(self, wait: Wait, found: _Found, address: int | None) -> Wait:
        pending = self.tables.requests(
            wait.core, (address or 0) & 0xFFFF_FFFF, found.call.name, len(self._rank)
        )
        some = found.name == "iRCCE_wait_any"
        peers = tuple(dict.fromkeys(ue for request in pending for ue in request.peers))
        size = pending[0].size if len(pending) == 1 else None
        kinds = {request.kind for request in pending}
        kind = kinds.pop() if len(kinds) == 1 else Kind.REQUEST
        some = some or any(request.any for request in pending)
        return replace(wait, kind=kind, peers=peers, any=some, size=size)

    def _kernel_mail(self, place: Place) -> tuple[Kind, tuple[int, ...]] | None:
        """What a core in its kernel's mailboxes waits for."""
        for level in place.kernel:
            names = self._kernel.functions_at(level.eip)
            name = next((name for name in names if name in calls.KERNEL_MAIL), None)
            if name is None or not level.base:
                continue
            kind = calls.KERNEL_MAIL[name]
            if kind == Kind.MAIL_RECEIVE:
                own = self._rank[place.core]
                return kind, tuple(ue for ue in self._rank.values() if ue != own)
            buffer = self._memory.word(place.core, level.argument(calls.MAIL_BUFFER))
            to = None if buffer is None else self._memory.word(place.core, buffer)
            return kind, (self._rank[to],) if to in self._rank else ()
        return None

    def _times(self, wait: Wait, name: str) -> Wait:
        """Since when, and how often, this core has been in this call."""
        address = self._symbols.address(name)
        counts = self._chip.probe_counts().get(wait.core, {})
        if address is None or not counts.get(address):
            return wait
        since = self._chip.probe_times(wait.core).get(address)
        return replace(wait, since_ps=since, calls_made=counts[address])


def find_cycles(waits: Mapping[int, Wait]) -> list[tuple[int, ...]]:
    """Cycles of UEs that each wait for the next one, each cycle once, from its lowest UE."""
    edges = {
        rank: [peer for peer in wait.peers if peer in waits] if not wait.any else []
        for rank, wait in waits.items()
    }
    return cycles_of(edges)


def cycles_of(edges: Mapping[int, list[int]]) -> list[tuple[int, ...]]:
    """Cycles along edges that all lead to nodes of the mapping, each from its lowest node."""
    found: dict[frozenset[int], tuple[int, ...]] = {}
    taken: set[int] = set()
    for start in sorted(edges):
        if start in taken:
            continue
        cycle = _shortest_cycle(start, edges)
        if cycle and taken.isdisjoint(cycle):
            lowest = cycle.index(min(cycle))
            found[frozenset(cycle)] = cycle[lowest:] + cycle[:lowest]
            taken.update(cycle)
    return sorted(found.values())


def _shortest_cycle(start: int, edges: Mapping[int, list[int]]) -> tuple[int, ...]:
    before: dict[int, int] = {}
    line = [start]
    for at in line:
        for peer in edges[at]:
            if peer == start:
                path = [at]
                while path[-1] != start:
                    path.append(before[path[-1]])
                return tuple(reversed(path))
            if peer not in before:
                before[peer] = at
                line.append(peer)
    return ()


def _is_system_call(name: str) -> bool:
    """Whether this is the C library's way into the kernel."""
    return name.lstrip("_").startswith(("syscall", "vsyscall", "read", "write"))


def _label(name: str) -> str:
    """The name by which programs call the function."""
    name = name.removesuffix(calls.BIT).removesuffix("_gory").removesuffix("_general")
    return name.replace("rcce_coll_", "RCCE_coll_")
