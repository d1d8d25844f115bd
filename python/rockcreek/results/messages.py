"""The messages of a run, by sender and receiver, without a change of the program.

Probes on the entry points of RCCE, iRCCE and MPI's channel note each call with its arguments, at
no cost in simulated time; nothing of a run changes. A call that another one makes (a collective its
messages, `iRCCE_ssend` its `iRCCE_issend`) is recognised by its return address, and one that is
jumped to by its stack; so each message counts once. MPI's messages are seen where they enter the
channel (`rckmpi_message_sent`), with the core they go to, whatever communicator they are of; those
of a rank to itself do not come there. What is not seen: collectives that go from message buffer to
message buffer (they are calls, but no messages), and programs without symbols.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rockcreek.formats import messages as formats
    from rockcreek.software.image import Image

MESSAGE, PUT, GET, COLLECTIVE, RECEIVE = "message", "put", "get", "collective", "receive"
# RCCE's types by their number (RCCE_INT ...): bytes of an element.
_TYPE_BASE, _TYPE_BYTES = 63636363, (4, 4, 4, 8)
_LIBRARY = ("RCCE_", "rcce_", "iRCCE_", "ircce_", "coll_")
# Inline functions of a header of ours: code of the program.
_INLINE = ("RCCE_coll_", "rcce_coll_group")
# Ours are made of the collectives that scale, and seen as these.
_MADE_OF_OTHERS = ("iRCCE_barrier", "iRCCE_bcast")
_SIGN = 1 << 31
_MPI_OWN_TYPE = 0x4C


@dataclass(frozen=True)
class Entry:
    """An entry point: which of its arguments (1, 2, ...) is the size, and which the partner."""

    name: str
    kind: str
    size: int | None = None  # None: one byte, or nothing
    peer: int | None = None  # None: all others
    elements: int | None = None  # the type argument, when the size is a number of elements
    bytes: int = 0  # of a call without a size
    mpi_type: int | None = None  # the same of MPI, whose handles have the size
    core: bool = False  # the partner is a core, and messages may be empty
    context: int | None = None  # MPI's: odd in collectives

    @property
    def label(self) -> str:
        """The name by which programs call the function."""
        return _LABELS.get(self.name) or self.name.replace("rcce_coll_", "RCCE_coll_")


_LABELS = {"rckmpi_message_sent": "MPI messages", "rckmpi_message_came": "MPI messages"}

ENTRIES = (
    Entry("RCCE_send", MESSAGE, 2, 3),
    Entry("RCCE_send_gory", MESSAGE, 6, 7),
    Entry("iRCCE_isend", MESSAGE, 2, 3),
    Entry("iRCCE_issend", MESSAGE, 2, 3),
    Entry("iRCCE_ssend", MESSAGE, 2, 3),
    Entry("iRCCE_send", MESSAGE, 2, 3),
    Entry("iRCCE_msend", MESSAGE, 2),
    Entry("RCCE_put", PUT, 3, 4),
    Entry("RCCE_put_char", PUT, None, 3, bytes=1),
    Entry("iRCCE_put", PUT, 3, 4),
    Entry("RCCE_get", GET, 3, 4),
    Entry("RCCE_get_char", GET, None, 3, bytes=1),
    Entry("iRCCE_get", GET, 3, 4),
    Entry("RCCE_barrier", COLLECTIVE),
    Entry("RCCE_bcast", COLLECTIVE, 2),
    Entry("RCCE_reduce", COLLECTIVE, 3, elements=4),
    Entry("RCCE_allreduce", COLLECTIVE, 3, elements=4),
    Entry("iRCCE_barrier", COLLECTIVE),
    Entry("iRCCE_bcast", COLLECTIVE, 2),
    Entry("iRCCE_mcast", COLLECTIVE, 2),
    Entry("rcce_coll_barrier", COLLECTIVE),
    Entry("rcce_coll_bcast", COLLECTIVE, 2),
    Entry("rcce_coll_reduce", COLLECTIVE, 3, elements=4),
    Entry("rcce_coll_gather", COLLECTIVE, 3),
    Entry("rcce_coll_scatter", COLLECTIVE, 3),
    Entry("rcce_coll_alltoall", COLLECTIVE, 3),
    Entry("rckmpi_message_sent", MESSAGE, 2, 1, core=True, context=4),
    Entry("MPI_Barrier", COLLECTIVE),
    Entry("MPI_Bcast", COLLECTIVE, 2, mpi_type=3),
    Entry("MPI_Reduce", COLLECTIVE, 3, mpi_type=4),
    Entry("MPI_Allreduce", COLLECTIVE, 3, mpi_type=4),
    Entry("MPI_Scan", COLLECTIVE, 3, mpi_type=4),
    Entry("MPI_Gather", COLLECTIVE, 2, mpi_type=3),
    Entry("MPI_Gatherv", COLLECTIVE, 2, mpi_type=3),
    Entry("MPI_Scatter", COLLECTIVE, 5, mpi_type=6),
    Entry("MPI_Allgather", COLLECTIVE, 2, mpi_type=3),
    Entry("MPI_Alltoall", COLLECTIVE, 2, mpi_type=3),
)
# Our iRCCE calls this with the source that a receive from any has found.
TAKE_ANY = "ircce_take_any"
# The source of such a receive, and the length of one that takes any.
ANY = 0xFFFF_FFFF
# What receives the messages, for who asks about both ends.
RECEIVES = (
    Entry("RCCE_recv", RECEIVE, 2, 3),
    Entry("RCCE_recv_gory", RECEIVE, 6, 7),
    Entry("iRCCE_irecv", RECEIVE, 2, 3),
    Entry("iRCCE_isrecv", RECEIVE, 2, 3),
    Entry("iRCCE_srecv", RECEIVE, 2, 3),
    Entry("iRCCE_recv", RECEIVE, 2, 3),
    Entry("iRCCE_mrecv", RECEIVE, 2, 3),
    Entry("iRCCE_irecv_cancel", RECEIVE),
    Entry(TAKE_ANY, RECEIVE, None, 1),
    Entry("rckmpi_message_came", RECEIVE, 2, 1, core=True, context=4),
)
# The functions of a library in which GORY was a switch of the build.
_GORY = {
    "RCCE_send": Entry("RCCE_send", MESSAGE, 6, 7),
    "RCCE_recv": Entry("RCCE_recv", RECEIVE, 6, 7),
}


@dataclass
class CallCount:
    """The calls of one entry point."""

    name: str
    kind: str
    calls: int = 0
    bytes: int = 0
    refused: int = 0  # no such partner, or no size: the library refuses them

    def to_dict(self) -> formats.CallCount:
        return {
            "name": self.name,
            "kind": self.kind,
            "calls": self.calls,
            "bytes": self.bytes,
            "refused": self.refused,
        }


@dataclass
class Traffic:
    """Messages and bytes from each UE to each UE, by rank."""

    pairs: dict[tuple[int, int], list[int]] = field(default_factory=dict)

    def add(self, source: int, target: int, size: int) -> None:
        pair = self.pairs.setdefault((source, target), [0, 0])
        pair[0] += 1
        pair[1] += size

    def merge(self, other: Traffic) -> None:
        """Adds another one's pairs."""
        for pair, (messages, size) in other.pairs.items():
            mine = self.pairs.setdefault(pair, [0, 0])
            mine[0] += messages
            mine[1] += size

    @property
    def messages(self) -> int:
        return sum(count for count, _ in self.pairs.values())

    @property
    def bytes(self) -> int:
        return sum(size for _, size in self.pairs.values())

    def to_list(self) -> list[formats.Pair]:
        return [
            {"source": source, "target": target, "messages": count, "bytes": size}
            for (source, target), (count, size) in sorted(self.pairs.items())
        ]


@dataclass
class Messages:
    """The counts of a run's calls and messages, by sender and receiver."""

    ues: int
    calls: dict[str, CallCount] = field(default_factory=dict)
    messages: Traffic = field(default_factory=Traffic)
    puts: Traffic = field(default_factory=Traffic)
    gets: Traffic = field(default_factory=Traffic)
    in_collectives: int = 0  # of the messages
    sizes: dict[int, int] = field(default_factory=dict)  # messages by the power of two not below
    region: tuple[str, Messages] | None = None  # the part of the region of interest, by its name
    gates: list[formats.GateCount] | None = None  # messages between tasks of a microkernel

    def to_dict(self) -> formats.Messages:
        """For the JSON of a result."""
        document: formats.Messages = {
            "ues": self.ues,
            "watched": sorted(call.name for call in self.calls.values()),
            "calls": [call.to_dict() for call in self.calls.values() if call.calls],
            "messages": self.messages.to_list(),
            "in_collectives": self.in_collectives,
            "sizes": [{"to": to, "messages": self.sizes[to]} for to in sorted(self.sizes)],
            "puts": self.puts.to_list(),
            "gets": self.gets.to_list(),
        }
        if self.gates is not None:
            document["gates"] = self.gates
        if self.region is not None:
            document["roi"] = self._of_region(*self.region)
        return document

    @property
    def traffic(self) -> tuple[Traffic, Traffic, Traffic]:
        """All that went between UEs."""
        return self.messages, self.puts, self.gets

    @staticmethod
    def _of_region(name: str, region: Messages) -> formats.RegionMessages:
        return {"name": name, **region.to_dict()}

    def add(self, other: Messages) -> None:
        """Counts what was seen elsewhere, too."""
        for name, call in other.calls.items():
            sum_ = self.calls.setdefault(name, CallCount(call.name, call.kind))
            sum_.calls += call.calls
            sum_.bytes += call.bytes
            sum_.refused += call.refused
        for mine, its in zip(self.traffic, other.traffic, strict=True):
            mine.merge(its)
        self.in_collectives += other.in_collectives
        for to, count in other.sizes.items():
            self.sizes[to] = self.sizes.get(to, 0) + count


Call = tuple[int, int, int, list[int]]  # core, function, stack, return address and arguments


class CallReader:
    """What calls of some entry points mean: which was made by the library itself, its size and
    partners. The ranks are the order of the cores. Each call is read once, in order."""

    def __init__(
        self, cores: Sequence[int], program: Image, entries: Sequence[Entry] = ENTRIES
    ) -> None:
        self._rank = {core: rank for rank, core in enumerate(cores)}
        symbols = program.symbols
        self._ours = program.has_our_note
        self._all = entries
        known = [e for e in entries if not (self._ours and e.name in _MADE_OF_OTHERS)]
        self.entries = {symbols[e.name]: e for e in known if e.name in symbols}
        self._code = sorted((address, name) for name, address in symbols.items())
        # Of each core the last call: stack, return address, entry point, what it was part of.
        self._last: dict[int, tuple[int, int, int, str | None]] = {}

    @property
    def ues(self) -> int:
        return len(self._rank)

    @property
    def ours(self) -> bool:
        """Whether the program has our libraries."""
        return self._ours

    def rank(self, core: int) -> int:
        return self._rank[core]

    def read(self, call: Call) -> tuple[Entry, str | None, int | None, tuple[int, ...]]:
        """A call's entry point, the kind of call that it is part of, its size (None: the library
        refuses it) and its partners."""
        core, function, stack, words = call
        part_of = self._part_of(core, function, stack, words)
        self._last[core] = (stack, words[0], function, part_of)
        entry = self.entries[function]
        return entry, part_of, *self._arguments(entry, self._rank[core], words)

    def _part_of(self, core: int, function: int, stack: int, words: list[int]) -> str | None:
        """The kind of what made this call, if that is of the library."""
        back = words[0]
        last = self._last.get(core)
        if last is not None and last[:2] == (stack, back) and last[2] != function:
            return last[3] or self.entries[last[2]].kind
        entry = self.entries[function]
        if entry.context is not None:
            return COLLECTIVE if words[entry.context] & 1 else None
        index = bisect_right(self._code, (back, "\x7f")) - 1
        caller = self._code[index][1] if index >= 0 else ""
        own = caller.startswith(_INLINE) or (self._ours and caller in _MADE_OF_OTHERS)
        if own or not caller.startswith(_LIBRARY):
            return None
        made_by = [entry.kind for entry in self._all if entry.name == caller]
        return made_by[0] if made_by else COLLECTIVE

    def _arguments(
        self, entry: Entry, own: int, words: list[int]
    ) -> tuple[int | None, tuple[int, ...]]:
        """Size and partners; no size if the library refuses the call."""
        others = tuple(ue for ue in range(self.ues) if ue != own)
        if not self._ours and entry.name in _GORY and words[3] >= self.ues:
            entry = _GORY[entry.name]
        size = entry.bytes if entry.size is None else words[entry.size]
        if entry.elements is not None:
            kind = words[entry.elements] - _TYPE_BASE
            size *= _TYPE_BYTES[kind] if kind in range(len(_TYPE_BYTES)) else 0
        if entry.mpi_type is not None:
            size *= _mpi_bytes(words[entry.mpi_type])
        takes_all = entry.kind == RECEIVE and size == ANY
        least = 0 if entry.core or entry.mpi_type is not None else 1
        if entry.size is not None and not least <= size < _SIGN and not takes_all:
            return None, ()
        if entry.kind == COLLECTIVE or entry.peer is None:
            return size, others
        peer = words[entry.peer]
        if entry.core:
            peer = self._rank.get(peer, self.ues)
        alone = entry.kind in (MESSAGE, RECEIVE) and peer == own
        return (None, ()) if peer >= self.ues or alone else (size, (peer,))


def _mpi_bytes(handle: int) -> int:
    """The size of a type of MPICH's own, which is in its handle; 0 of others."""
    return handle >> 8 & 0xFF if handle >> 24 == _MPI_OWN_TYPE else 0


_WIDEST = 16  # the largest number of UEs whose matrix is printed as text
_MOST_PAIRS = 10


def tell(seen: formats.Messages) -> str:
    """The table: calls, sizes, and the matrix or its largest entries; of the region of interest
    first, if that is not all."""
    rows = seen.get("gates")
    gates = _gates(rows) if rows else ""
    if not seen["watched"]:
        none = "rck: messages: the program's symbols name no function of RCCE, iRCCE or MPI"
        return gates or none
    if not seen["calls"]:
        return f"rck: messages: none{gates and chr(10)}{gates}"
    region = seen.get("roi")
    told = [_table(seen, "")]
    if region is not None:
        told = [_table(region, f", {region['name']}"), _table(seen, ", the whole run")]
    return "\n".join([*told, gates] if gates else told)


def _gates(rows: Sequence[formats.GateCount]) -> str:
    """Who sent how much to which gate, all cores together."""
    sums: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        found = sums.setdefault((row["from"], row["to"]), [0, 0, 0])
        for n, count in enumerate((row["calls"], row["sends"], row["faults"])):
            found[n] += count
    lines = ["rck: messages of tasks by gate, all cores:"]
    for (source, target), (calls, sends, faults) in sorted(sums.items()):
        lines.append(
            f"     {f'{source} to {target}':<28}{calls:>10,} calls {sends:>8,} sends"
            f" {faults:>10,} faults and system calls"
        )
    return "\n".join(lines)


def _table(seen: formats.Messages, what: str) -> str:
    calls = seen["calls"]
    if not calls:
        return f"rck: messages{what}: none"
    lines = [f"rck: messages, puts and gets by entry point{what}:"]
    for call in calls:
        refused = f", {call['refused']:,} refused" if call["refused"] else ""
        lines.append(
            f"     {call['name']:<20}{call['calls']:>12,} calls {call['bytes']:>14,} bytes{refused}"
        )
    if seen["in_collectives"]:
        lines.append(f"     made by collectives:{seen['in_collectives']:>12,} messages")
    if seen["sizes"]:
        told = ", ".join(f"<= {part['to']:,}: {part['messages']:,}" for part in seen["sizes"])
        lines.append(f"     messages by size in bytes: {told}")
    for name, pairs in (
        ("messages", seen["messages"]),
        ("puts", seen["puts"]),
        ("gets", seen["gets"]),
    ):
        if pairs:
            lines += _matrix(name, pairs, seen["ues"])
    return "\n".join(lines)


def _matrix(name: str, pairs: Sequence[formats.Pair], ues: int) -> list[str]:
    count = sum(pair["messages"] for pair in pairs)
    size = sum(pair["bytes"] for pair in pairs)
    head = f"rck: {count:,} {name}, {size:,} bytes, over {len(pairs):,} pairs"
    if ues <= _WIDEST:
        held = {(pair["source"], pair["target"]): pair["messages"] for pair in pairs}
        width = max(3, *(len(f"{n:,}") for n in held.values())) + 1
        lines = [f"{head}; from (row) to (column):"]
        lines.append("     " + " " * 3 + "".join(f"{to:>{width}}" for to in range(ues)))
        for source in range(ues):
            row = (held.get((source, to)) for to in range(ues))
            cells = "".join(f"{'.' if n is None else f'{n:,}':>{width}}" for n in row)
            lines.append(f"     {source:>3}{cells}")
        return lines
    most = sorted(pairs, key=lambda pair: (-pair["bytes"], pair["source"], pair["target"]))
    lines = [f"{head}; the largest:"]
    for pair in most[:_MOST_PAIRS]:
        lines.append(
            f"     {pair['source']:>3} to {pair['target']:<3}"
            f"{pair['messages']:>12,} {name} {pair['bytes']:>14,} bytes"
        )
    return lines
