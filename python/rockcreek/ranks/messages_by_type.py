"""Do the types of a send and its receive agree, and which sends did nobody receive?

Messages of one sender, receiver and tag arrive in order, so the n-th send belongs to the n-th
receive. Ranks that receive from anybody, any tag, or by calls that the probes do not see in full
are left out.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from rockcreek.ranks.calls_of_mpi import OWN_TYPE, UNTYPED

# Sends or receives whose partner is not seen yet; a pair with more is left out.
_MOST_OPEN = 10_000


@dataclass(frozen=True)
class Half:
    """A send or a receive."""

    name: str
    source: int
    target: int
    tag: int
    type: int
    back: int  # the return address

    def differs(self, other: Half) -> bool:
        """Whether the types are not those of one message."""
        types = (self.type, other.type)
        own = all(one >> 24 == OWN_TYPE for one in types)
        return own and self.type != other.type and not set(types) & set(UNTYPED)


class Pairs:
    """Sends and receives in one communicator that have no partner yet."""

    def __init__(self) -> None:
        self._open: dict[tuple[int, int, int], deque[tuple[bool, Half]]] = {}
        self._left_out: set[int] = set()

    def leave_out(self, rank: int) -> None:
        """Not all messages of this rank are seen."""
        self._left_out.add(rank)

    def take(self, half: Half, *, sends: bool) -> Half | None:
        """The partner, if it is known and its type differs."""
        if {half.source, half.target} & self._left_out:
            return None
        key = half.source, half.target, half.tag
        waiting = self._open.setdefault(key, deque())
        if waiting and waiting[0][0] != sends:
            partner = waiting.popleft()[1]
            if not waiting:
                del self._open[key]  # programs may give each message a tag of its own
            return partner if half.differs(partner) else None
        waiting.append((sends, half))
        if len(waiting) > _MOST_OPEN:
            self._left_out |= {half.source, half.target}
            waiting.clear()
        return None

    def not_received(self) -> list[Half]:
        """The sends that no receive took, as far as all is seen."""
        return [
            half
            for waiting in self._open.values()
            for sends, half in waiting
            if sends and not {half.source, half.target} & self._left_out
        ]
