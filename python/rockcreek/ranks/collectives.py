"""Do all ranks make the same collective calls, in one order, with one root and size?"""

from __future__ import annotations

from dataclasses import dataclass

# Calls of ranks that are ahead of others; what goes beyond is not checked.
_MOST_OPEN = 10_000


@dataclass(frozen=True)
class Collective:
    """A collective call of one rank."""

    rank: int
    name: str
    root: int | None
    size: int | None  # bytes, where all ranks must give the same
    back: int  # the return address

    def differs(self, other: Collective) -> str | None:
        """What two calls differ in that must be equal."""
        if self.name != other.name:
            return "call"
        if self.root != other.root:
            return "root"
        unequal = None not in (self.size, other.size) and self.size != other.size
        return "size" if unequal else None


@dataclass
class _Open:
    first: Collective
    seen: int = 1


class Collectives:
    """The collective calls of one communicator, compared with those of the rank that was first."""

    def __init__(self, ranks: int) -> None:
        self._made = [0] * ranks
        self._open: dict[int, _Open] = {}
        self._over = False  # behind the first difference nothing can be compared

    def take(self, call: Collective) -> tuple[str, Collective] | None:
        """What the call differs in, and from which one; None if it does not."""
        number = self._made[call.rank]
        self._made[call.rank] += 1
        if self._over or len(self._made) == 1:
            return None
        there = self._open.get(number)
        if there is None:
            self._open[number] = _Open(call)
            self._over = len(self._open) > _MOST_OPEN
            return None
        there.seen += 1
        if there.seen == len(self._made):
            del self._open[number]
        what = call.differs(there.first)
        if what is None:
            return None
        self._over = True
        return what, there.first

    def not_by_all(self) -> tuple[Collective, list[int]] | None:
        """At the end: the first call that some ranks did not make, and these ranks."""
        if self._over or not self._open:
            return None
        number = min(self._open)
        absent = [rank for rank, made in enumerate(self._made) if made <= number]
        return self._open[number].first, absent
