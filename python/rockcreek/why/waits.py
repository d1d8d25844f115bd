"""Waiting calls in a trace: for each, on which core the other one was late, and until when.

A receive waits until its message is sent, a send until it is received, a barrier until its last
member comes, a lock until it is released. What a call takes beyond that is its own cost.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rockcreek.deadlocks.calls import CALLS, Kind
from rockcreek.reading.trace import Slice

# Calls of threads, beside those that `rockcreek.deadlocks` knows.
_THREADS = {
    "pthread_barrier_wait": Kind.BARRIER,
    "__kmpc_barrier": Kind.BARRIER,
    "GOMP_barrier": Kind.BARRIER,
    "iRCCE_barrier": Kind.BARRIER,
    "pthread_mutex_lock": Kind.LOCK,
    "pthread_spin_lock": Kind.LOCK,
    "__kmpc_critical": Kind.LOCK,
    "omp_set_lock": Kind.LOCK,
    "pthread_join": Kind.OTHER,
    "pthread_cond_wait": Kind.OTHER,
}
_KINDS = {**{name: call.kind for name, call in CALLS.items()}, **_THREADS}
_RELEASES = frozenset(
    "RCCE_release_lock RCCE_spin_unlock RCCE_backoff_unlock RCCE_air_release pthread_mutex_unlock"
    " pthread_spin_unlock __kmpc_end_critical omp_unset_lock".split()
)


@dataclass(frozen=True)
class Wait:
    """One waiting call on a core."""

    core: int
    name: str
    kind: Kind
    begin_ps: int
    end_ps: int
    partner: int | None = None  # the core that was late
    until_ps: int = 0  # when it came; the rest is the call's own cost

    @property
    def late_ps(self) -> int:
        return self.until_ps - self.begin_ps if self.partner is not None else 0

    @property
    def cost_ps(self) -> int:
        return self.end_ps - self.begin_ps - self.late_ps


def find(slices: Sequence[Slice]) -> list[Wait]:
    """All waiting calls of the program, none within another one."""
    calls = [one for one in slices if one.name in _KINDS and not _is_within(one)]
    sends = {number: one for one in slices for number in one.sends}
    receives = {number: one for one in slices for number in one.receives}
    found: list[Wait] = []
    barriers: dict[str, list[Slice]] = defaultdict(list)
    releases = sorted(
        (one for one in slices if one.name in _RELEASES), key=lambda one: (one.begin_ps, one.core)
    )
    for one in calls:
        kind = _KINDS[one.name]
        if kind is Kind.BARRIER:
            barriers[one.name].append(one)
            continue
        other: tuple[int, int] | None = None
        if kind is Kind.LOCK:
            other = _holder(one, releases)
        elif one.receives or one.sends:
            partner = next((sends[n] for n in one.receives if n in sends), None)
            partner = partner or next((receives[n] for n in one.sends if n in receives), None)
            other = None if partner is None else (partner.core, partner.begin_ps)
        found.append(_wait(one, kind, other))
    for name, members in barriers.items():
        found += (wait for episode in _episodes(members) for wait in _barrier(name, episode))
    return sorted(found, key=lambda wait: (wait.core, wait.begin_ps))


def _is_within(one: Slice) -> bool:
    above = one.parent
    while above is not None:
        if above.name in _KINDS:
            return True
        above = above.parent
    return False


def _wait(one: Slice, kind: Kind, other: tuple[int, int] | None) -> Wait:
    plain = Wait(one.core, one.name, kind, one.begin_ps, one.end_ps)
    if other is None or other[0] == one.core or other[1] <= one.begin_ps:
        return plain
    until_ps = min(other[1], one.end_ps)
    return Wait(one.core, one.name, kind, one.begin_ps, one.end_ps, other[0], until_ps)


def _holder(one: Slice, releases: Sequence[Slice]) -> tuple[int, int] | None:
    """The core that last released a lock during this wait, and when; `releases` by time."""
    at = bisect_right(releases, one.end_ps, key=lambda other: other.begin_ps)
    while at > 0 and releases[at - 1].begin_ps > one.begin_ps:
        at -= 1
        if releases[at].core != one.core:
            return releases[at].core, releases[at].begin_ps
    return None


def _episodes(members: list[Slice]) -> Iterable[list[Slice]]:
    """Calls of a barrier that belong together: nobody leaves before the last one has come."""
    episode: list[Slice] = []
    for one in sorted(members, key=lambda member: member.begin_ps):
        ends = min((member.end_ps for member in episode), default=one.begin_ps)
        if episode and (one.begin_ps > ends or any(one.core == other.core for other in episode)):
            yield episode
            episode = []
        episode.append(one)
    if episode:
        yield episode


def _barrier(name: str, episode: list[Slice]) -> Iterable[Wait]:
    last = episode[-1]
    for one in episode:
        yield _wait(one, _KINDS[name], (last.core, last.begin_ps) if one is not last else None)
