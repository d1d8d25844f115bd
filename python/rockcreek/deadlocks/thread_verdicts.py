"""What is wrong with threads that wait: locks taken crosswise, and for each kind of object who does
not come."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rockcreek.deadlocks.threads import ThreadWait, name_thread, name_threads
from rockcreek.deadlocks.verdicts import Finding
from rockcreek.deadlocks.waits import cycles_of

_HINTS = {
    "lock-cycle": "take locks in the same order everywhere",
    "wait-cycle": "one of them must do its part before it waits for the next",
    "lock-taken-twice": "unlock it first, or make it recursive (PTHREAD_MUTEX_RECURSIVE,"
    " std::recursive_mutex, omp_nest_lock_t); regions of `critical` do not nest",
    "lock-never-released": "unlock it on every way out of the code that holds it",
    "lock-held": "unlock it before waiting for something else",
    "condition-without-signal": "signal it after each change, and wait only while the state is not"
    " there yet: a signal that comes before the wait is lost",
    "barrier-missing-members": "as many threads must come as the barrier is for",
    "semaphore-not-posted": "somebody must call sem_post for each sem_wait",
    "once-in-itself": "what is done once must not ask for itself to be done",
    "team-missing-members": "all threads of the team must come: look for a barrier, or a loop"
    " shared by the team, inside an `if`, `single` or `critical`",
}
_CAUSES = ("lock-taken-twice", "lock-never-released", "lock-held", "lock-cycle")


class ThreadJudge:
    """Says why the waits of threads do not end."""

    def __init__(
        self, waits: Mapping[int, ThreadWait], *, all_stand: bool, is_alive: Callable[[int], bool]
    ) -> None:
        self._waits, self._all_stand, self._is_alive = waits, all_stand, is_alive
        edges = {n: [peer for peer in wait.peers if peer in waits] for n, wait in waits.items()}
        self.cycles = cycles_of(edges)
        self._in_cycle = {thread for cycle in self.cycles for thread in cycle}

    def findings(self) -> list[Finding]:
        """Cycles first, then one for each object that threads wait for."""
        found = [self._cycle(cycle) for cycle in self.cycles]
        by_object: dict[tuple[str, int], list[ThreadWait]] = {}
        for wait in self._waits.values():
            if wait.kind not in ("join", "other") and wait.thread not in self._in_cycle:
                by_object.setdefault((wait.kind, wait.key), []).append(wait)
        return found + [self._object(waits) for waits in by_object.values()]

    def _cycle(self, cycle: tuple[int, ...]) -> Finding:
        waits = [self._waits[thread] for thread in cycle]
        if len(cycle) == 1:
            head = f"{name_thread(cycle[0])} waits in {waits[0].call}{waits[0].for_object()}"
            return self._finding("lock-taken-twice", f"{head}, which it holds itself", waits)
        locks = all(wait.kind in ("mutex", "spin", "read_write") for wait in waits)
        parts = "; ".join(
            f"{name_thread(wait.thread)} waits"
            + (wait.for_object() or f" in {wait.call}")
            + (f" of {name_thread(wait.peers[0])}")
            + (f" at {wait.place}" if wait.place else "")
            for wait in waits
        )
        if locks:
            text = f"{len(cycle)} threads each hold a lock that the one before wants: {parts}"
            return self._finding("lock-cycle", text, waits)
        return self._finding(
            "wait-cycle", f"{len(cycle)} threads wait for each other: {parts}", waits
        )

    def _object(self, waits: list[ThreadWait]) -> Finding:
        first = waits[0]
        who = name_threads([wait.thread for wait in waits])
        verb = "waits" if len(waits) == 1 else "wait"
        head = f"{who} {verb} in {first.call}{first.for_object()}"
        if first.holder is not None:
            return self._held(head, waits, first.holder)
        if first.kind == "barrier":
            text = (
                f"the barrier `{first.name}` is for {first.wanted} threads, and {first.arrived}"
                f" have come ({who}){self._others(waits)}"
            )
            return self._finding("barrier-missing-members", text, waits)
        if first.kind == "team":
            text = (
                f"{who} {verb} at {first.call} for the rest of the team, which does not come:"
                f" threads have passed unequal numbers of barriers{self._others(waits)}"
            )
            return self._finding("team-missing-members", text, waits)
        kind, text = {
            "condition": ("condition-without-signal", "and no thread is left that could signal it"),
            "semaphore": ("semaphore-not-posted", "and no thread is left that could post it"),
            "once": ("once-in-itself", "which has begun and does not end"),
        }.get(first.kind, ("lock-held", "and nobody releases it"))
        return self._finding(kind, f"{head}, {text}{self._others(waits)}", waits)

    def _held(self, head: str, waits: list[ThreadWait], holder: int) -> Finding:
        other = self._waits.get(holder)
        text = f"{head}, which {name_thread(holder)} holds"
        if other is not None:
            where = f" at {other.place}" if other.place else ""
            return self._finding("lock-held", f"{text}: it waits in {other.call}{where}", waits)
        if not self._is_alive(holder):
            return self._finding("lock-never-released", f"{text}, and has ended", waits)
        return self._finding("lock-held", text, waits)

    def _others(self, waits: list[ThreadWait]) -> str:
        """What the threads do that wait for something else, none of which is in the way."""
        here = {wait.thread for wait in waits}
        rest = [w for n, w in self._waits.items() if n not in here and w.kind != "join"]
        if not rest:
            return ""
        return "; " + "; ".join(
            f"{name_thread(w.thread)} waits in {w.call}" + (f" at {w.place}" if w.place else "")
            for w in rest[:4]
        )

    def _finding(self, kind: str, text: str, waits: list[ThreadWait]) -> Finding:
        return Finding(
            kind,
            text,
            tuple(sorted({wait.rank for wait in waits})),
            _HINTS[kind],
            certain=self._all_stand or "cycle" in kind or kind == "lock-taken-twice",
            depth=2 if kind in _CAUSES else 0 if kind == "wait-cycle" else 1,
        )
