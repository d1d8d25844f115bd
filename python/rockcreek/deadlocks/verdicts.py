"""What is wrong: cycles of waits, and for each kind of wait why it does not end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from rockcreek.chip import Exit
from rockcreek.deadlocks.calls import Kind
from rockcreek.deadlocks.hints import HINTS, HINTS_OF_MPI
from rockcreek.deadlocks.ignored_errors import Refusal
from rockcreek.deadlocks.transfers import Sent, Transfer
from rockcreek.deadlocks.waits import Wait
from rockcreek.units import format_ps


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong, in words; `kind` is for machines."""

    kind: str
    text: str
    ues: tuple[int, ...]
    hint: str
    # Nothing that a core may still do can mend it, as far as waits and ends show.
    certain: bool = True
    # How near it is to the mistake: who holds a lock says more than who waits for whom.
    depth: int = 1


_CAUSES = (
    "unequal-tags",
    "send-refused",
    "recv-refused",
    "lock-held",
    "lock-never-released",
    "unequal-sizes",
    "mailbox-not-read",
)
# Calls in which all members must name one root, size and communicator.
_COLLECTIVES = {
    "bcast", "reduce", "allreduce", "gather", "gatherv", "scatter", "allgather", "alltoall", "scan",
}  # fmt: skip
_RINGS = {Kind.RECEIVE: "receive-ring", Kind.SEND: "send-ring", Kind.LOCK: "lock-cycle"}


def name_ues(ues: tuple[int, ...] | list[int]) -> str:
    """`UE 3`, `UEs 0-2 and 5`."""
    if len(ues) == 1:
        return f"UE {ues[0]}"
    spans: list[str] = []
    for _, run in groupby(enumerate(sorted(ues)), key=lambda pair: pair[1] - pair[0]):
        found = [ue for _, ue in run]
        spans += [f"{found[0]}-{found[-1]}"] if len(found) > 2 else map(str, found)
    return f"UEs {', '.join(spans[:-1])} and {spans[-1]}" if len(spans) > 1 else f"UEs {spans[0]}"


class Judge:
    """Says why the waits of one stopped run do not end."""

    def __init__(
        self,
        waits: Mapping[int, Wait],
        ends: Mapping[int, Exit],
        cycles: list[tuple[int, ...]],
        barrier_calls: Callable[[str, int], int],
        *,
        refused: Sequence[Refusal] = (),
        sent: Sequence[Sent] = (),
        all_stand: bool,
    ) -> None:
        self._all_stand = all_stand
        self._waits = waits
        self._ends = ends
        self._cycles = cycles
        self._barrier_calls = barrier_calls
        self._refused, self._sent = refused, sent
        self._in_cycle = {ue for cycle in cycles for ue in cycle}
        # Of these the cycle says all.
        rings = (cycle for cycle in cycles if self._ring(cycle) is not None)
        self._in_ring = {ue for cycle in rings for ue in cycle}

    def findings(self) -> list[Finding]:
        """All of them: cycles first, then barriers, then by UE; each appears once. A full mailbox
        that closes a cycle comes before it: it shows what to mend."""
        # A UE that waits for its own lock is told of as such.
        found = [self._cycle(cycle) for cycle in self._cycles if not self._is_own_lock(cycle)]
        found += self._barriers()
        for rank in sorted(self._waits):
            wait = self._waits[rank]
            told = self._of_wait(wait)
            if told is not None:
                found.append(told)
        found.sort(
            key=lambda one: (
                one.kind != "lock-taken-twice"
                and (one.kind != "mailbox-not-read" or one.ues[0] not in self._in_cycle)
            )
        )
        return [replace(one, certain=self._is_certain(one), hint=self._hint(one)) for one in found]

    def _hint(self, found: Finding) -> str:
        """What to do; MPI's calls behave otherwise than RCCE's."""
        waits = [self._waits[ue] for ue in found.ues if ue in self._waits]
        is_mpi = waits and all(wait.call.startswith("MPI_") for wait in waits)
        return HINTS_OF_MPI.get(found.kind, found.hint) if is_mpi else found.hint

    def _is_certain(self, found: Finding) -> bool:
        """Whether all that it is about have ended or are in one cycle, or data lies elsewhere."""
        stuck = self._in_cycle.issuperset
        waits = [ue for ue in found.ues if ue in self._waits]
        ended = len(waits) < len(found.ues)
        return self._all_stand or found.kind == "flag-elsewhere" or ended or stuck(found.ues)

    def _is_own_lock(self, cycle: tuple[int, ...]) -> bool:
        return len(cycle) == 1 and self._waits[cycle[0]].kind == Kind.LOCK

    def _collective(self, cycle: tuple[int, ...]) -> str | None:
        """The collective call in which all of a cycle wait, if it is one."""
        calls = {self._waits[ue].part_of or "" for ue in cycle}
        name = calls.pop() if len(calls) == 1 else ""
        return name if name.partition("_")[2].lower() in _COLLECTIVES else None

    def _ring(self, cycle: tuple[int, ...]) -> str | None:
        """What a cycle is whose waits are all of one kind."""
        kinds = {self._waits[ue].kind for ue in cycle}
        return _RINGS.get(kinds.pop()) if len(kinds) == 1 else None

    def _cycle(self, cycle: tuple[int, ...]) -> Finding:
        kind = self._ring(cycle) or "wait-cycle"
        arrows = " -> ".join(f"UE {ue}" for ue in (*cycle, cycle[0]))
        collective = self._collective(cycle)
        if collective is not None and kind != "lock-cycle":
            text = f"{len(cycle)} UEs wait for each other within {collective}: {arrows}"
            return _finding("collective-unequal", text, cycle)
        words = {
            "receive-ring": f"a ring of {len(cycle)} receives: each waits for a message of the"
            " next, and none has sent",
            "send-ring": f"a ring of {len(cycle)} sends: each waits until the next fetches its"
            " message, and none receives",
            "lock-cycle": f"{len(cycle)} UEs each hold a lock that the one before wants",
            "wait-cycle": f"{len(cycle)} UEs wait for each other",
        }[kind]
        return _finding(kind, f"{words}: {arrows}", cycle)

    def _state(self, ue: int) -> str:
        """What another UE does instead."""
        end = self._ends.get(ue)
        if end is not None:
            how = {
                "exit": f"ended with exit code {end.code}",
                "signal": "was killed by a signal",
                "dead": "died",
            }.get(end.reason, f"ended ({end.reason})")
            return f"UE {ue} {how} at {format_ps(end.time_ps)}"
        wait = self._waits.get(ue)
        if wait is None:
            return f"UE {ue} is not there"
        where = f" at {wait.place}" if wait.place else ""
        if wait.kind == Kind.OTHER:
            return f"UE {ue} is{where}" if where else f"UE {ue} runs"
        return f"UE {ue} waits in {wait.call}{where}"

    def _barriers(self) -> list[Finding]:
        groups: dict[object, list[Wait]] = {}
        for wait in self._waits.values():
            if wait.kind in (Kind.BARRIER, Kind.COLLECTIVE) and wait.group is not None:
                groups.setdefault((wait.call, wait.group), []).append(wait)
        return [self._barrier(waits) for waits in groups.values()]

    def _is_behind(self, call: str, ue: int, ranks: tuple[int, ...]) -> bool:
        """Whether a UE has not come to a collective of MPI, which the root and others may leave
        before all are there."""
        most = max(self._barrier_calls(call, rank) for rank in ranks)
        return self._barrier_calls(call, ue) < most

    def _barrier(self, there: list[Wait]) -> Finding:
        group, call = there[0].group, there[0].call
        assert group is not None
        ranks = tuple(sorted(wait.rank for wait in there))
        missing = [ue for ue in group.members if ue not in ranks]
        if there[0].kind == Kind.COLLECTIVE:
            missing = [ue for ue in missing if self._is_behind(call, ue, ranks)]
        head = f"{call} of {group.name} ({len(group.members)} members): {name_ues(ranks)}"
        if not missing:
            text = f"{head}: all are in it, but not in the same one"
            if len(ranks) < len(group.members):
                verb = "wait" if len(ranks) > 1 else "waits"
                text = f"{head} {verb}, and the others have left as many of these calls behind them"
            return _finding("unequal-barriers", text, ranks)
        text = f"{head} {'wait' if len(ranks) > 1 else 'waits'}, {name_ues(missing)} did not come: "
        text += "; ".join(self._state(ue) for ue in missing[:4])
        if len(missing) > 4:
            text += f"; and {len(missing) - 4} more"
        mine = {self._barrier_calls(call, ue) for ue in ranks}
        others = {self._barrier_calls(call, ue) for ue in missing}
        ended = self._ends.keys() >= set(missing)
        if ended and len(mine) == 1 and len(others) == 1 and mine != others:
            text += f" ({_times(mine.pop())} in {call} against {others.pop()})"
            return _finding("unequal-barriers", text, (*ranks, *missing))
        found = _finding("barrier-missing-members", text, (*ranks, *missing))
        polls = [ue for ue in missing if ue in self._waits and self._waits[ue].kind == Kind.OTHER]
        if polls and self._all_stand:
            asks = f"look at what UE {polls[0]} asks for in its loop: it never comes"
            found = replace(found, hint=asks)
        # UEs at the library's end wait for whoever is stuck elsewhere.
        at_end = all(wait.part_of == "RCCE_finalize" for wait in there)
        return replace(found, depth=0) if at_end else found

    def _of_wait(self, wait: Wait) -> Finding | None:
        judge = {
            Kind.RECEIVE: self._receive,
            Kind.SEND: self._send,
            Kind.REQUEST: self._request,
            Kind.FLAG: self._flag,
            Kind.SIGNAL: self._signal,
            Kind.LOCK: self._lock,
            Kind.TICKET: self._ticket,
            Kind.MAIL_SEND: self._mail_send,
            Kind.MAIL_RECEIVE: self._mail_receive,
            Kind.MPI: self._end_of_mpi,
        }.get(wait.kind)
        return judge(wait) if judge is not None else None

    def _end_of_mpi(self, wait: Wait) -> Finding | None:
        """Ranks that wait in MPI_Finalize, and no rank is elsewhere."""
        ranks = tuple(sorted(self._waits))
        if wait.rank != ranks[0] or {one.call for one in self._waits.values()} != {"MPI_Finalize"}:
            return None
        verb = "waits" if len(ranks) == 1 else "wait"
        text = f"{name_ues(ranks)} {verb} in MPI_Finalize for messages that nobody completes"
        return _finding("messages-left-over", text, ranks)

    def _own(self, wait: Wait) -> str:
        size = "" if wait.size is None or wait.size < 0 else f" {wait.size} bytes"
        verb = "sends" if wait.kind == Kind.SEND else "receives"
        to = "to" if wait.kind == Kind.SEND else "from"
        whom = "anybody" if wait.any else name_ues(wait.peers) if wait.peers else "nobody"
        return f"UE {wait.rank} {verb}{size} {to} {whom}"

    def _matching(self, wait: Wait, kind: Kind) -> Wait | None:
        """The partner's wait if that is the other half of this message."""
        other = self._waits.get(wait.peers[0]) if len(wait.peers) == 1 else None
        fits = other is not None and other.kind == kind and wait.rank in other.peers
        return other if fits else None

    def _sizes(self, wait: Wait, other: Wait) -> Finding | None:
        if wait.size is None or other.size is None or wait.size == other.size:
            return None
        text = f"{self._own(wait)}, but UE {other.rank} sends {other.size}"
        return _finding("unequal-sizes", text, (wait.rank, other.rank))

    def _refused_of(self, wait: Wait, call: str) -> Finding | None:
        """The partner's call that would have ended this wait, if the library has refused one."""
        for one in reversed(self._refused):
            if one.ue in wait.peers and call in one.call:
                text = f"{self._own(wait)}, and {one.in_words()}"
                return _finding(f"{call}-refused", text, (wait.rank, one.ue))
        return None

    def _other_tag(self, wait: Wait) -> Finding | None:
        """The partner's message that would have ended this wait but for its tag."""
        for one in reversed(self._sent):
            if one.target == wait.rank and one.source in wait.peers and one.tag != wait.tag:
                text = f"UE {wait.rank} receives tag {wait.tag} from UE {one.source}, which sends"
                text += f" tag {one.tag}: {one.call} at {one.place}"
                return _finding("unequal-tags", text, (wait.rank, one.source))
        return None

    def _receive(self, wait: Wait) -> Finding | None:
        other = self._matching(wait, Kind.SEND)
        if other is not None:
            return self._sizes(wait, other)
        if wait.rank in self._in_ring and not wait.any:
            return None
        refused = self._refused_of(wait, "send") or self._other_tag(wait)
        if refused is not None:
            return refused
        text = f"{self._own(wait)}, which nobody sends"
        if len(wait.peers) == 1:
            text += f": {self._state(wait.peers[0])}"
        return _finding("receive-without-sender", text, (wait.rank, *wait.peers))

    def _send(self, wait: Wait) -> Finding | None:
        if self._matching(wait, Kind.RECEIVE) is not None or wait.rank in self._in_ring:
            return None
        refused = self._refused_of(wait, "recv")
        if refused is not None:
            return refused
        text = f"{self._own(wait)}, which nobody receives"
        if len(wait.peers) == 1:
            text += f": {self._state(wait.peers[0])}"
        return _finding("send-without-receiver", text, (wait.rank, *wait.peers))

    def _request(self, wait: Wait) -> Finding | None:
        if not wait.peers or wait.rank in self._in_ring:
            return None
        text = f"UE {wait.rank} waits in {wait.call} for messages with {name_ues(wait.peers)}: "
        text += "; ".join(self._state(ue) for ue in wait.peers[:4])
        return _finding("request-unfinished", text, (wait.rank, *wait.peers))

    def _flag(self, wait: Wait) -> Finding | None:
        flag = wait.flag
        if flag is None or flag.value == flag.wanted:
            return None
        name = f" `{flag.variable}`" if flag.variable else ""
        place = f"offset {flag.offset:#x} of its message buffer"
        if flag.bit is not None:
            place = f"bit {flag.bit} of the line at {place}"
        text = f"UE {wait.rank} waits until its flag{name} ({place}) is {flag.wanted};"
        text += f" it is {flag.value}"
        idle = [ue for ue in flag.elsewhere if not self._waits_for_flag(ue, flag.offset)]
        if idle:
            owners = f"{'buffer' if len(idle) == 1 else 'buffers'} of {name_ues(idle)}"
            text += f". The same flag is {flag.wanted} in the message {owners}, where nobody"
            text += " waits for it: it was written for the wrong UE"
            return _finding("flag-elsewhere", text, (wait.rank, *idle))
        return _finding("flag-unwritten", f"{text}, and nobody writes it", (wait.rank,))

    def _waits_for_flag(self, ue: int, offset: int) -> bool:
        wait = self._waits.get(ue)
        return wait is not None and wait.flag is not None and wait.flag.offset == offset

    def _signal(self, wait: Wait) -> Finding | None:
        if len(wait.peers) != 1:
            return None
        other = self._waits.get(wait.peers[0])
        if wait.rank in self._in_cycle or (other is not None and other.kind == Kind.SIGNAL):
            return None
        call = wait.part_of or wait.call
        text = f"UE {wait.rank} waits in {call} for UE {wait.peers[0]}, which is not in it: "
        return _finding(
            "collective-missing-member",
            text + self._state(wait.peers[0]),
            (wait.rank, *wait.peers),
        )

    def _lock(self, wait: Wait) -> Finding | None:
        if wait.lock is None or (wait.rank in self._in_ring and wait.peers != (wait.rank,)):
            return None
        alike = [
            other.rank
            for other in self._waits.values()
            if (other.kind, other.lock, other.peers) == (wait.kind, wait.lock, wait.peers)
            and other.peers != (other.rank,)
        ]
        if alike and min(alike) < wait.rank and wait.peers != (wait.rank,):
            return None
        who = f"UE {wait.rank} waits" if len(alike) < 2 else f"{name_ues(alike)} wait"
        head = f"{who} in {wait.call} for the lock of UE {wait.lock}"
        if not wait.peers:
            text = f"{head}, which no call of RCCE has taken: code of its own holds the register"
            return _finding("lock-held", text, tuple(alike))
        if wait.peers == (wait.rank,):
            return _finding("lock-taken-twice", f"{head}, which it holds itself", (wait.rank,))
        holder = wait.peers[0]
        text = f"{head}, which UE {holder} holds: {self._state(holder)}"
        ended = holder in self._ends
        text += " without releasing it" if ended else ""
        kind = "lock-never-released" if ended else "lock-held"
        return _finding(kind, text, (*alike, holder))

    def _ticket(self, wait: Wait) -> Finding | None:
        text = f"UE {wait.rank} waits in {wait.call} for its turn, which nobody passes on"
        return _finding("ticket-not-served", text, (wait.rank,))

    def _mail_send(self, wait: Wait) -> Finding | None:
        if not wait.peers:
            return None
        to = wait.peers[0]
        text = f"UE {wait.rank} waits in {wait.call} for room in the mailbox of UE {to}:"
        text += f" its last mail is still there, for UE {to} does not read it: {self._state(to)}"
        return _finding("mailbox-not-read", text, (wait.rank, to))

    def _mail_receive(self, wait: Wait) -> Finding | None:
        text = f"UE {wait.rank} waits in {wait.call} for a mail, and nobody sends one"
        return _finding("mailbox-empty", text, (wait.rank,))


def under_way(transfer: Transfer) -> Finding:
    """A message that the stop has cut off; what else is wrong says more."""
    kind, ues = "transfer-under-way", (transfer.sender, transfer.receiver)
    text = f"the run was cut off while {transfer.in_words()}"
    return Finding(kind, text, ues, HINTS[kind], depth=-1)


def _times(count: int) -> str:
    return f"{count} call" if count == 1 else f"{count} calls"


def _finding(kind: str, text: str, ues: tuple[int, ...]) -> Finding:
    depth = 2 if kind in _CAUSES else 0 if kind == "wait-cycle" else 1
    return Finding(kind, text, ues, HINTS[kind], depth=depth)
