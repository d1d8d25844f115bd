"""The critical path: from the end of the run backwards, over to the core that was waited for.

Where a core waited, the run would have ended earlier only if the other one had been earlier: so the
path goes on there. What is on the path is what to shorten; the rest of the run hides behind it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypedDict, TypeVar

from rockcreek.why.waits import Wait

_MOST_STEPS = 1 << 20


class Jump(NamedTuple):
    """The path goes from one core to another one, which was late for a call."""

    source: int
    target: int
    call: str


class OnCore(TypedDict):
    """Time of the path on one core, in picoseconds."""

    core: int
    ps: int


class InCall(TypedDict):
    """Time of the path in one call, in picoseconds."""

    name: str
    ps: int


Jumps = TypedDict("Jumps", {"from": int, "to": int, "call": str, "times": int})


class PathDocument(TypedDict):
    """The path as `--json` prints it."""

    time_ps: int
    cores: list[OnCore]
    calls: list[InCall]
    jumps: list[Jumps]


K = TypeVar("K", int, str, Jump)


@dataclass(frozen=True)
class CriticalPath:
    """Time on each core, and where the path goes from core to core."""

    time_ps: int
    on_core_ps: dict[int, int]
    in_calls_ps: dict[str, int]  # of that: in waiting calls that nobody was late for
    jumps: dict[Jump, int]  # how often

    def to_dict(self) -> PathDocument:
        return {
            "time_ps": self.time_ps,
            "cores": [{"core": core, "ps": ps} for core, ps in self._ordered(self.on_core_ps)],
            "calls": [{"name": name, "ps": ps} for name, ps in self._ordered(self.in_calls_ps)],
            "jumps": [
                {"from": jump.source, "to": jump.target, "call": jump.call, "times": times}
                for jump, times in self._ordered(self.jumps)
            ],
        }

    @staticmethod
    def _ordered(counts: dict[K, int]) -> list[tuple[K, int]]:
        return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def find(waits: Sequence[Wait], last_core: int, end_ps: int) -> CriticalPath:
    """The path that ends on this core at this instant."""
    of_core: dict[int, list[Wait]] = defaultdict(list)
    for one in waits:
        of_core[one.core].append(one)
    late = {core: [w for w in own if w.late_ps > 0] for core, own in of_core.items()}
    until = {core: [w.until_ps for w in own] for core, own in late.items()}
    on_core: Counter[int] = Counter()
    in_calls: Counter[str] = Counter()
    jumps: Counter[Jump] = Counter()
    core, now_ps = last_core, end_ps
    for _ in range(_MOST_STEPS):
        # A wait that ended before this instant is behind it on the path.
        at = bisect_left(until.get(core, []), now_ps) - 1
        wait = late[core][at] if at >= 0 else None
        begin_ps = 0 if wait is None else wait.until_ps
        on_core[core] += now_ps - begin_ps
        for call in _between(of_core[core], begin_ps, now_ps):
            own_ps = min(call.end_ps, now_ps) - max(call.begin_ps + call.late_ps, begin_ps)
            in_calls[call.name] += max(0, own_ps)
        if wait is None or wait.partner is None:
            break
        jumps[Jump(core, wait.partner, wait.name)] += 1
        core, now_ps = wait.partner, begin_ps
    return CriticalPath(end_ps, dict(on_core), dict(in_calls), dict(jumps))


def _between(own: list[Wait], begin_ps: int, end_ps: int) -> list[Wait]:
    """The waits of a core, in order and apart, that are not all before or after these instants."""
    first = bisect_left(own, begin_ps, key=lambda one: one.end_ps)
    return own[first : bisect_left(own, end_ps, key=lambda one: one.begin_ps)]
